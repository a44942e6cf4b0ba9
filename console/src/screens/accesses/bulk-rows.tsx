import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocalPages } from '../../api/local-pages.ts'
import { PageTable } from '../../parts/page-table.tsx'
import { useWords } from '../../words/index.tsx'
import { useBulkColumns } from './bulk-columns.tsx'
import type { Task } from './bulk-job.ts'
import type { Bulk, BulkRow, RowState } from './use-bulk.ts'

const FAILED: ReadonlySet<RowState> = new Set(['unreadable', 'conflict', 'rejected', 'noResponse', 'stopped'])

/** Shows each access of a bulk change, before, during and after the run. */
export function BulkRows({ bulk, task, onClose }: { bulk: Bulk; task: Task; onClose: () => void }) {
  const words = useWords()
  const { accesses } = words
  const { phase, change } = bulk
  const rows = [...bulk.rows.values()]
  const failed = rows.filter(({ state }) => FAILED.has(state))
  // After the run the failed accesses come first, because the operator has to do something about them.
  const shown = phase === 'finished' ? [...failed, ...rows.filter(({ state }) => !FAILED.has(state))] : rows
  const page = useLocalPages(shown)
  const planned = countOf(rows, 'planned')
  return (
    <Stack>
      <Status bulk={bulk} rows={rows} />
      {phase === 'planned' && planned === 0 && <Alert color="gray">{accesses.noChanges}</Alert>}
      <PageTable
        label={accesses.rowsLabel}
        page={page}
        columns={useBulkColumns()}
        keyOf={({ id }) => id}
        empty={null}
      />
      <Group
        justify="end"
        py="sm"
        pos="sticky"
        bottom={0}
        bg="var(--mantine-color-body)"
        style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
      >
        {(phase === 'reading' || phase === 'running') && (
          <Button variant="default" onClick={phase === 'reading' ? onClose : bulk.stop}>
            {accesses.stop}
          </Button>
        )}
        {phase === 'planned' && (
          <>
            <Button variant="default" onClick={task === 'extend' ? bulk.reset : onClose}>
              {task === 'extend' ? accesses.back : words.common.cancel}
            </Button>
            <Button disabled={planned === 0} onClick={() => void bulk.run()} data-autofocus>
              {accesses.taskAction[task](planned)}
            </Button>
          </>
        )}
        {phase === 'finished' && (
          <>
            {failed.length > 0 && change && (
              <Button
                variant="default"
                onClick={() =>
                  void bulk.read(
                    failed.map(({ id }) => id),
                    change,
                  )
                }
              >
                {accesses.retryFailed(failed.length)}
              </Button>
            )}
            <Button onClick={onClose}>{words.common.close}</Button>
          </>
        )}
      </Group>
    </Stack>
  )
}

function countOf(rows: BulkRow[], ...states: RowState[]): number {
  return rows.filter(({ state }) => states.includes(state)).length
}

/** Shows the counts as text, and the progress as a bar. */
function Status({ bulk: { phase, pausedUntil }, rows }: { bulk: Bulk; rows: BulkRow[] }) {
  const { accesses } = useWords()
  const [planned, unchanged] = [countOf(rows, 'planned'), countOf(rows, 'unchanged')]
  const done = countOf(rows, 'done')
  const bad = rows.filter(({ state }) => FAILED.has(state)).length
  const waiting = countOf(rows, 'waiting')
  const toWrite = rows.length - unchanged - countOf(rows, 'unreadable')
  const states: Record<typeof phase, [number, string]> = {
    choosing: [0, ''],
    reading: [rows.length - waiting, accesses.reading(rows.length - waiting, rows.length)],
    planned: [rows.length, accesses.planned(planned, unchanged, bad)],
    running: [toWrite - planned, accesses.running(toWrite - planned, toWrite)],
    finished: [rows.length, accesses.finished(done, unchanged, bad)],
  }
  const [value, text] = states[phase]
  const most = phase === 'running' ? toWrite : rows.length
  const isBusy = phase === 'reading' || phase === 'running'
  return (
    <Stack gap="xs">
      {/* During the run, a screen reader would announce every single row. */}
      <Text fw={600} aria-live={isBusy ? 'off' : 'polite'}>
        {text}
      </Text>
      {isBusy && (
        <Progress.Root>
          <Progress.Section value={most === 0 ? 100 : (100 * value) / most} aria-label={text} />
        </Progress.Root>
      )}
      {isBusy && <Pause key={pausedUntil} until={pausedUntil} />}
    </Stack>
  )
}

/** Shows how long the pause that the service has asked for still lasts. */
function Pause({ until }: { until: number }) {
  const { accesses } = useWords()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((until - now) / 1_000)
  return seconds > 0 ? <Text size="sm">{accesses.paused(seconds)}</Text> : null
}
