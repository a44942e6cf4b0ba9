import { Button, Group, NativeSelect, Switch, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { FULL_NAME, splitName, type SplitName, splitsOf } from '../../import/engine.ts'
import type { Job } from '../../import/job.ts'
import type { ChosenFile, WholeName } from '../../import/run-state.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { TitledCard } from '../../parts/titled-card.tsx'
import { useWords } from '../../words/index.tsx'
import { useFieldLabel } from './use-field-label.ts'

interface Split {
  line: number
  /** All ways to split it, or none if the name has a comma. */
  ways: SplitName[]
  /** The index of the chosen one; undefined if the name cannot be split by the rule. */
  way: number | undefined
  name: string
  lastName: string
}

/** More rows would take the browser long to show. */
const PAGE = 50

/** Shows how whole names are split, before anything is sent. Another split can be chosen for each. */
export function NameSplits({ job, chosen }: { job: Job; chosen: ChosenFile }) {
  const words = useWords()
  const labelOf = useFieldLabel()
  const [isDoubtfulFirst, setDoubtfulFirst] = useState(true)
  const [turnedTo, setPage] = useState(0)
  const { wholeNames, rename, splits } = chosen
  const names = useMemo(() => ordered(wholeNames?.names ?? [], isDoubtfulFirst), [wholeNames, isDoubtfulFirst])
  // Until the file has been looked through again, the names are those of another column.
  if (!wholeNames || names.length === 0 || rename[wholeNames.column] !== FULL_NAME) return null
  const pages = Math.ceil(names.length / PAGE)
  // The file may have been read in another way since.
  const page = Math.min(turnedTo, pages - 1)
  const doubtful = names.filter(({ isDoubtful }) => isDoubtful).length
  const shown = names.slice(page * PAGE, (page + 1) * PAGE).map((name) => splitOf(name, wholeNames.column, splits))
  return (
    <TitledCard title={words.import.splits} hint={words.import.splitsHint}>
      <Group justify="space-between" mb="xs">
        <Text size="sm">{words.import.doubtfulNames(doubtful, names.length)}</Text>
        {doubtful > 0 && names.length > PAGE && (
          <Switch
            label={words.import.doubtfulFirst}
            checked={isDoubtfulFirst}
            onChange={({ currentTarget }) => {
              setDoubtfulFirst(currentTarget.checked)
              setPage(0)
            }}
          />
        )}
      </Group>
      <DataTable
        label={words.import.splits}
        columns={[
          { head: words.import.lineHead, width: '4rem' },
          { head: labelOf('name') },
          { head: labelOf('last_name') },
        ]}
        rows={shown.map((split) => ({
          key: split.line,
          cells: [
            split.line,
            <FirstName
              key="name"
              split={split}
              onChoose={(way) => job.change({ splits: { ...chosen.splits, [split.line]: way } })}
            />,
            split.lastName,
          ],
        }))}
      />
      <Pages page={page} pages={pages} onChange={setPage} />
    </TitledCard>
  )
}

function Pages({ page, pages, onChange }: { page: number; pages: number; onChange: (page: number) => void }) {
  const words = useWords()
  const { common } = words
  if (pages === 1) return null
  return (
    <Group justify="space-between" mt="sm" component="nav" aria-label={words.import.splits}>
      <Button variant="default" disabled={page === 0} onClick={() => onChange(page - 1)}>
        {common.previousPage}
      </Button>
      <Text size="sm" c="dimmed" aria-live="polite">
        {words.import.pageOf(page + 1, pages)}
      </Text>
      <Button variant="default" disabled={page + 1 === pages} onClick={() => onChange(page + 1)}>
        {common.nextPage}
      </Button>
    </Group>
  )
}

function FirstName({ split, onChoose }: { split: Split; onChoose: (way: number) => void }) {
  const words = useWords()
  const { line, ways, way, name } = split
  if (ways.length === 0 || (ways.length === 1 && way !== undefined)) return name
  return (
    <NativeSelect
      size="xs"
      aria-label={words.import.nameIn(line)}
      data={[
        ...(way === undefined ? [{ value: '', label: words.import.chooseSplit }] : []),
        ...ways.map((each, i) => ({ value: String(i), label: each.name })),
      ]}
      value={way ?? ''}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
    />
  )
}

function ordered(names: WholeName[], isDoubtfulFirst: boolean): WholeName[] {
  if (!isDoubtfulFirst) return names
  const { true: doubtful = [], false: others = [] } = Object.groupBy(names, ({ isDoubtful }) =>
    isDoubtful ? 'true' : 'false',
  )
  return [...doubtful, ...others]
}

function splitOf({ line, text }: WholeName, column: string, splits: Record<number, number>): Split {
  const ways = splitsOf(text, column)
  const byRule = splitName(text, column)
  const way = splits[line] ?? (ways.length > 0 && byRule ? 0 : undefined)
  const split = (way === undefined ? undefined : ways[way]) ?? byRule
  // Without a way to split it, the row fails, and its whole name is shown.
  return { line, ways, way, name: split?.name ?? (ways.length === 0 ? text : ''), lastName: split?.last_name ?? '' }
}
