import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocalPages } from '../../api/local-pages.ts'
import { PageTable } from '../../parts/page-table.tsx'
import { useWords } from '../../words/index.tsx'
import type { Task } from './bulk-dialog.tsx'
import { useBulkColumns } from './bulk-columns.tsx'
import type { Bulk, BulkRow, RowState } from './use-bulk.ts'

const FAILED: ReadonlySet<RowState> = new Set(['unreadable', 'conflict', 'refused', 'lost', 'stopped'])

/** What will change, what is being changed, what came of it. */
export function BulkRows({ bulk, task, onClose }: { bulk: Bulk; task: Task; onClose: () => void }) {
  const words = useWords()
  const { accesses } = words
  const { phase, change } = bulk
  const rows = [...bulk.rows.values()]
  const failed = rows.filter(({ state }) => FAILED.has(state))
  // At the end, what asks for something to be done stands first.
  const shown = phase === 'over' ? [...failed, ...rows.filter(({ state }) => !FAILED.has(state))] : rows
  const page = useLocalPages(shown)
  const planned = countOf(rows, 'planned')
  return (
    <Stack>
      <Status bulk={bulk} rows={rows} />
      {phase === 'planned' && planned === 0 && <Alert color="gray">{accesses.nothingToDo}</Alert>}
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
              {accesses.doTask[task](planned)}
            </Button>
          </>
        )}
        {phase === 'over' && (
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
                {accesses.tryFailed(failed.length)}
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

/** Where it stands, in words and as a bar. */
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
    over: [rows.length, accesses.over(done, unchanged, bad)],
  }
  const [value, text] = states[phase]
  const most = phase === 'running' ? toWrite : rows.length
  const isBusy = phase === 'reading' || phase === 'running'
  return (
    <Stack gap="xs">
      {/* While it runs, a reader of the screen would be told of every row. */}
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

/** Says that the service has asked for a pause, and for how long. */
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
