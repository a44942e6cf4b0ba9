import { Text } from '@mantine/core'
import { useWords } from '../words/index.tsx'
import { CopyText } from './copy-text.tsx'

/** The id by which the log knows a request, to copy. */
export function RequestId({ id }: { id: string | undefined }) {
  const { failure } = useWords()
  if (id === undefined) return null
  return (
    <Text size="xs" component="div">
      {failure.requestId} <CopyText text={id} label={failure.copyRequestId} />
    </Text>
  )
}
