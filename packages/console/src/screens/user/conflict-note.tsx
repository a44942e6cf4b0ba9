import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react'
import { useEffect, useRef } from 'react'
import { useCustomFields } from '../../api/custom-fields.ts'
import { useStore } from '../../store.ts'
import { fieldName } from '../../words/field-name.ts'
import { useWords } from '../../words/index.tsx'
import { customPath, type Difference, type Draft } from '../users/draft.ts'

interface Props {
  conflict: Difference[]
  draft: Draft
  onChange: (draft: Draft) => void
}

/**
 * Shows what someone else has changed while the form was open. For each field, the operator chooses between the two
 * values.
 */
export function ConflictNote({ conflict, draft, onChange }: Props) {
  const { user } = useWords()
  const note = useRef<HTMLDivElement>(null)
  // The button that was pressed may be far below. Without the focus, the note would stay out of view.
  useEffect(() => note.current?.focus(), [])
  return (
    <Alert
      ref={note}
      tabIndex={-1}
      color="orange"
      role="alert"
      icon={<AlertIcon aria-hidden />}
      title={user.conflictTitle}
    >
      <Stack gap="sm">
        <Text size="sm">{conflict.length === 0 ? user.conflictElsewhere : user.conflictHint}</Text>
        {conflict.map((field) => (
          <ConflictOfField
            key={field.path}
            field={field}
            current={draft.get(field.path) ?? ''}
            onTake={(text) => onChange(new Map(draft).set(field.path, text))}
          />
        ))}
      </Stack>
    </Alert>
  )
}

interface FieldProps {
  field: Difference
  current: string
  onTake: (text: string) => void
}

function ConflictOfField({ field, current, onTake }: FieldProps) {
  const words = useWords()
  const { user } = words
  const { data: fields = [] } = useCustomFields(useStore())
  const name = fields.find(({ key }) => customPath(key) === field.path)?.label ?? fieldName(field.path, words)
  const isOwn = field.yours !== field.before && field.yours !== field.theirs
  return (
    <div role="group" aria-label={name}>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {user.before}: {shown(field.before)}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {user.theirValue}: <b>{shown(field.theirs)}</b>
      </Text>
      {isOwn && (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {user.yourValue}: <b>{shown(field.yours)}</b>
          </Text>
          <Group gap="xs" mt={4}>
            <Button
              size="compact-sm"
              variant={current === field.theirs ? 'filled' : 'default'}
              aria-pressed={current === field.theirs}
              onClick={() => onTake(field.theirs)}
            >
              {user.useTheirs}
            </Button>
            <Button
              size="compact-sm"
              variant={current === field.yours ? 'filled' : 'default'}
              aria-pressed={current === field.yours}
              onClick={() => onTake(field.yours)}
            >
              {user.keepYours}
            </Button>
          </Group>
        </>
      )}
    </div>
  )
}

function shown(text: string): string {
  return text === '' ? '–' : text
}
