import { Text } from '@mantine/core'
import { useWords } from '../words/index.tsx'
import { CopyText } from './copy-text.tsx'

/** Shows a request id with a button that copies it. Operators need it to find the request in the log. */
export function RequestId({ id }: { id: string | undefined }) {
  const { failure } = useWords()
  if (id === undefined) return null
  return (
    <Text size="xs" component="div">
      {failure.requestId} <CopyText text={id} label={failure.copyRequestId} />
    </Text>
  )
}
