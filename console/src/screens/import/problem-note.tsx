import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Problem } from '../../import/run-state.ts'
import { useWords, type Words } from '../../words/index.tsx'

export function ProblemNote({ title, problem }: { title: string; problem: Problem | undefined }) {
  const words = useWords()
  if (!problem) return null
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />} title={title}>
      {problemText(problem, words)}
    </Alert>
  )
}

function problemText(problem: Problem, words: Words): string {
  if (!('text' in problem)) return words.import.problems[problem.code]
  const { line, code } = problem.file ?? { line: 0, code: '' }
  const known: Record<string, string> = words.import.fileProblems
  return Object.hasOwn(known, code) ? `${words.import.line(line)}: ${known[code]}` : problem.text
}
