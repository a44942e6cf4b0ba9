import { Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { EFFECTS, noEffects } from '../../import/engine.ts'
import { failedRows } from '../../import/file.ts'
import type { Job } from '../../import/job.ts'
import type { ChosenFile, Run } from '../../import/run-state.ts'
import { Counts } from '../../parts/counts.tsx'
import { useLanguage, useWords, type Words } from '../../words/index.tsx'
import { Changes } from './changes.tsx'
import { FailedLines } from './failed-lines.tsx'
import { AfterRun } from './after-run.tsx'
import { ProblemNote } from './problem-note.tsx'
import { waitText } from './wait-text.ts'

/** Shows the progress and the counts of a dry run or an import, with its buttons. */
export function RunCard({ job, chosen, run }: { job: Job; chosen: ChosenFile; run: Run }) {
  const words = useWords()
  const { isDryRun, status, inspection, failed, changes } = run
  const { file, source, rename } = chosen
  const title = words.import.states[isDryRun ? 'dry' : 'real'][status]
  const table = inspection && { fileName: file.name, inspection, rename }
  useFreshData(status === 'done' && !isDryRun)
  return (
    <>
      <Card withBorder>
        <Stack gap="sm">
          <Title order={2} size="h4" aria-live="polite">
            {title}
          </Title>
          <RunProgress run={run} />
          <RunCounts run={run} chosen={chosen} />
          {chosen.onExisting === 'update' && <Effects run={run} />}
          <ProblemNote title={title} problem={run.problem} />
          <Hint run={run} isSaved={chosen.saved !== undefined} />
          <Buttons job={job} run={run} />
          {status === 'done' && !isDryRun && chosen.saved && <AfterRun job={job} run={chosen.saved} />}
        </Stack>
      </Card>
      {table && (
        <>
          <Changes
            title={isDryRun ? words.import.wouldChangeTitle : words.import.changedTitle}
            {...table}
            zone={source.timeZone ?? 'UTC'}
            isDryRun={isDryRun}
            changes={changes}
          />
          <FailedLines
            title={isDryRun ? words.import.wouldFailLines : words.import.failedLines}
            {...table}
            lines={failed}
            dates={source.dates}
            rows={() => failedRows(source, failed)}
          />
        </>
      )}
    </>
  )
}

function RunProgress({ run }: { run: Run }) {
  const words = useWords()
  const { language } = useLanguage()
  const { state, status, rate, secondsLeft, waiting } = run
  // The first batch may have to wait too, before there is a state.
  if (!state && waiting) return <Waiting {...waiting} />
  if (!state) return status === 'checking' ? <Progress value={100} animated aria-label={words.import.progress} /> : null
  const share = state.rows === 0 ? 1 : state.next / state.rows
  const parts = [
    share.toLocaleString(language, { style: 'percent' }),
    words.import.doneOf(state.next.toLocaleString(language), state.rows.toLocaleString(language)),
  ]
  if (status === 'running' && rate > 0) parts.push(words.import.rate(Math.round(rate).toLocaleString(language)))
  if (status === 'running' && secondsLeft !== undefined) parts.push(words.import.left(durationText(secondsLeft, words)))
  return (
    <div>
      <Progress value={share * 100} aria-label={words.import.progress} />
      <Text size="sm" mt={4} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {parts.join(' · ')}
      </Text>
      {waiting && <Waiting {...waiting} />}
    </div>
  )
}

function Waiting({ reason, seconds }: NonNullable<Run['waiting']>) {
  const words = useWords()
  return (
    <Text size="sm" role="status">
      {words.import.waiting(waitText(reason, words), seconds)}
    </Text>
  )
}

function RunCounts({ run: { state, isDryRun }, chosen }: { run: Run; chosen: ChosenFile }) {
  const isOnlyUpdate = chosen.only === 'update'
  const words = useWords()
  if (!state) return null
  const { changed, uncompared } = state
  const existing =
    chosen.onExisting === 'update'
      ? [
          { label: isDryRun ? words.import.wouldChange : words.import.changed, n: changed },
          { label: words.import.sameCount, n: state.existing - changed - uncompared },
          ...(uncompared > 0 ? [{ label: words.import.uncompared, n: uncompared }] : []),
        ]
      : [{ label: words.import.existingCount, n: state.existing }]
  const counts = [
    isOnlyUpdate
      ? { label: words.import.leftOut, n: state.leftOut }
      : { label: isDryRun ? words.import.wouldCreate : words.import.created, n: state.created },
    ...existing,
    { label: isDryRun ? words.import.wouldFail : words.import.failed, n: state.failed },
  ]
  return <Counts counts={counts} />
}

/** What the rows do to accesses of existing people, with what takes something away first. */
function Effects({ run: { state, isDryRun } }: { run: Run }) {
  const words = useWords()
  const { language } = useLanguage()
  const effects = { ...noEffects(), ...state?.effects }
  const names = words.import.effects[isDryRun ? 'dry' : 'real']
  const found = EFFECTS.filter((effect) => effects[effect] > 0)
  if (found.length === 0) return null
  const counted = found.map((effect) => `${effects[effect].toLocaleString(language)} ${names[effect](effects[effect])}`)
  return (
    <Text size="sm" fw={found.includes('earlier') || found.includes('closed') ? 600 : undefined}>
      {words.import.effectsOf} {counted.join(' · ')}
    </Text>
  )
}

function Hint({ run: { isDryRun, status }, isSaved }: { run: Run; isSaved: boolean }) {
  const words = useWords()
  const hints = isDryRun
    ? { done: words.import.checkedHint }
    : {
        running: words.import.runningHint,
        ...(isSaved && { paused: words.import.pausedHint, stopped: words.import.stoppedHint }),
      }
  const text = new Map<string, string>(Object.entries(hints)).get(status)
  if (text === undefined) return null
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  )
}

function Buttons({ job, run: { isDryRun, status } }: { job: Job; run: Run }) {
  const words = useWords()
  if (status === 'done') return null
  if (status === 'checking' || status === 'running') {
    return (
      <Group>
        <Button variant="default" onClick={job.pause}>
          {isDryRun ? words.common.cancel : words.import.pause}
        </Button>
      </Group>
    )
  }
  if (isDryRun) return null
  return (
    <Group>
      <Button onClick={() => void job.start(false)}>{words.import.resume}</Button>
    </Group>
  )
}

/** Reads all data again after an import, or the other screens would not show the new users. */
function useFreshData(isDone: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (isDone) void client.invalidateQueries()
  }, [isDone, client])
}

function durationText(seconds: number, words: Words): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return words.import.seconds(whole)
  if (whole < 3600) return words.import.minutes(Math.floor(whole / 60), whole % 60)
  return words.import.hours(Math.floor(whole / 3600), Math.floor((whole % 3600) / 60))
}
