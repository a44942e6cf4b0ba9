import { Text } from '@mantine/core'
import { useSession } from '../session.tsx'
import { useWords } from '../words/index.tsx'

/** Says whom to ask for a change that the operator may not make. A viewer may make none, which the frame says. */
export function AskAdmin({ text }: { text?: string | undefined }) {
  const { common } = useWords()
  const { operator } = useSession()
  if (operator === undefined || operator.role === 'viewer') return null
  return (
    <Text size="sm" c="dimmed">
      {text ?? common.askAdmin}
    </Text>
  )
}
