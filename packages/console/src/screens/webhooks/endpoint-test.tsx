import { Alert, Loader } from '@mantine/core'
import { AlertIcon, CheckIcon } from '@primer/octicons-react'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { adviceFor } from './advice.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'

type Result = Schemas['WebhookTestResult']

/** Sends a test event on demand, and returns its result as an element. */
export function useEndpointTest(id: string) {
  const path = { store_id: useStore(), id }
  const [result, setResult] = useState<Result>()
  const { run, isRunning, failure } = useChange({
    change: () => bodyOf(api.POST('/admin/stores/{store_id}/webhook_endpoints/{id}/test', { params: { path } })),
    onDone: setResult,
  })
  const start = () => {
    setResult(undefined)
    run(undefined)
  }
  return {
    start,
    isRunning,
    outcome: <Outcome result={result} isRunning={isRunning} failure={failure} />,
  }
}

interface Props {
  result: Result | undefined
  isRunning: boolean
  failure: unknown
}

function Outcome({ result, isRunning, failure }: Props) {
  const { webhooks } = useWords()
  return (
    <div aria-live="polite">
      {isRunning && (
        <Alert color="gray" icon={<Loader size={18} aria-hidden />}>
          {webhooks.testing}
        </Alert>
      )}
      <FailureNote error={failure} />
      {result && <ResultNote result={result} />}
    </div>
  )
}

function ResultNote({ result: { status, duration_ms, failure } }: { result: Result }) {
  const words = useWords()
  const { webhooks } = words
  const hasArrived = status !== null && status >= 200 && status < 300
  return (
    <Alert
      color={hasArrived ? 'teal' : 'red'}
      icon={hasArrived ? <CheckIcon aria-hidden /> : <AlertIcon aria-hidden />}
      title={hasArrived ? webhooks.testDelivered : webhooks.testNotDelivered}
    >
      {status !== null && webhooks.tested(status, duration_ms)}
      {failure !== null && webhooks.testFailures[failure]}
      {status !== null && !hasArrived && ` ${webhooks.testSuccessHint} ${adviceFor(status, words)}`}
    </Alert>
  )
}
