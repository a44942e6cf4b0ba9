import { ActionIcon, Code, CopyButton, Group } from '@mantine/core'
import { CheckIcon, CopyIcon } from '@primer/octicons-react'
import { useWords } from '../words/index.tsx'

/** Shows a text with a button that copies it; `label` names the button. */
export function CopyText({ text, label, block = false }: { text: string; label: string; block?: boolean }) {
  const words = useWords()
  return (
    <Group
      component="span"
      display={block ? 'flex' : 'inline-flex'}
      gap={4}
      wrap="nowrap"
      align={block ? 'start' : 'center'}
    >
      <Code block={block} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} {...(block && { flex: 1 })}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            size="sm"
            onClick={copy}
            aria-label={copied ? words.common.copied : label}
          >
            {copied ? <CheckIcon size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}
