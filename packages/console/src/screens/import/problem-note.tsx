import { Alert } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react'
import type { Problem } from '../../import/run-state.ts'
import { useWords } from '../../words/index.tsx'
import { problemText } from './problem-text.ts'

export function ProblemNote({ title, problem }: { title: string; problem: Problem | undefined }) {
  const words = useWords()
  if (!problem) return null
  return (
    <Alert color="red" variant="light" role="alert" icon={<AlertIcon aria-hidden />} title={title}>
      {problemText(problem, words)}
    </Alert>
  )
}
