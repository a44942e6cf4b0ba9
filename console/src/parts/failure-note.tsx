import { Alert, Button, Group, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type Failure, toFailure } from '../api/failure.ts'
import { type Words, useWords } from '../words/index.tsx'
import { CopyText } from './copy-text.tsx'

/**
 * Shows the message of the API with the request id. The details of `known` fields are omitted, because the form shows
 * them next to its inputs.
 */
export function FailureNote({ error, known, retry }: { error: unknown; known?: string[]; retry?: () => void }) {
  const words = useWords()
  if (error === null || error === undefined) return null
  const failure = toFailure(error)
  const details = failure.details.filter(({ field }) => !known?.includes(field))
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={titleOf(failure, words)}
    >
      {details.length > 0 && (
        <List size="sm" mb="xs">
          {details.map(({ field, explanation }) => (
            <List.Item key={field}>
              <b>{field}</b> {explanation}
            </List.Item>
          ))}
        </List>
      )}
      {failure.retryAfter !== undefined && <Text size="sm">{words.failure.retryAfter(failure.retryAfter)}</Text>}
      <Group gap="sm" justify="space-between">
        {failure.requestId !== undefined && (
          <Text size="xs" component="div">
            {words.failure.requestId} <CopyText text={failure.requestId} label={words.failure.copyRequestId} />
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {words.common.tryAgain}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

function titleOf({ code, message, status }: Failure, words: Words): string {
  if (code === 'no_response') return words.failure.noResponse
  if (status === 412) return words.failure.conflict
  return message
}

/** Returns the API's explanation for each field, to be shown next to the inputs. */
export function fieldErrors(failure: Failure | undefined): Record<string, string> {
  return Object.fromEntries((failure?.details ?? []).map(({ field, explanation }) => [field, explanation]))
}
