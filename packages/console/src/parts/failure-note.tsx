import { Alert, Button, Group, List, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react'
import { toFailure } from '../api/failure.ts'
import { isReportedByFrame } from '../api/outage.ts'
import { detailText, failureText } from '../forms/error-text.ts'
import { fieldName } from '../words/field-name.ts'
import { useWords } from '../words/index.tsx'
import { CopyText } from './copy-text.tsx'
import { RequestId } from './request-id.tsx'

/**
 * Says what failed, with the request id. The details of `known` fields are omitted, because the form shows them next to
 * its inputs; a failure that consists of these shows nothing here.
 */
export function FailureNote({ error, known, retry }: { error: unknown; known?: string[]; retry?: () => void }) {
  const words = useWords()
  if (error === null || error === undefined) return null
  // The frame shows one message for all screens and reads again by itself. A change that failed is not sent again.
  if (retry && isReportedByFrame(error)) return null
  const failure = toFailure(error)
  const details = failure.details.filter(({ field }) => !known?.includes(field))
  if (failure.details.length > 0 && details.length === 0) return null
  const title = failureText(failure, words)
  const listed = details
    .map(({ field, value }) => ({
      field,
      text: detailText(failure.code, { field, ...(value !== undefined && { value }) }, words),
    }))
    .filter(({ text }) => text !== title)
  return (
    <Alert color="red" variant="light" role="alert" icon={<AlertIcon aria-hidden />} title={title}>
      {listed.length > 0 && (
        <List size="sm" mb="xs">
          {listed.map(({ field, text }) => (
            <List.Item key={field}>
              <b>{fieldName(field, words)}</b>: {text}
            </List.Item>
          ))}
        </List>
      )}
      {failure.retryAfter !== undefined && <Text size="sm">{words.failure.retryAfter(failure.retryAfter)}</Text>}
      <Group gap="sm" justify="space-between">
        <RequestId id={failure.requestId} />
        {failure.requestId === undefined && failure.ray !== undefined && (
          <Text size="xs" component="div">
            CF-Ray <CopyText text={failure.ray} label={words.failure.copyRequestId} />
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
