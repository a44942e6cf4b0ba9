import { Button, Checkbox, Group, Loader, Table, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { fillPage, type List, type PageState } from '../api/pages.ts'
import { useWords } from '../words/index.tsx'
import { FailureNote } from './failure-note.tsx'
import { Loading } from './loading.tsx'
import classes from './page-table.module.css'

export interface Column<T> {
  head: string
  /** Such as `20%`. The columns without a width share the rest, so no width depends on the rows. */
  width?: string
  cell: (row: T) => ReactNode
  /** On a narrow screen, `bare` shows the cell without its head, and `hidden` omits it. */
  narrow?: 'bare' | 'hidden'
}

export interface Selection {
  keys: ReadonlySet<string>
  set: (keys: ReadonlySet<string>) => void
  label: (key: string) => string
  labelOfAll: string
}

interface Props<T> {
  /** The name of the table for screen readers. */
  label: string
  page: PageState<T>
  /** In a list that is searched while typing, `columns`, `keyOf` and `selection` must stay the same objects (see `Body`). */
  columns: Column<T>[]
  keyOf: (row: T) => string
  empty: ReactNode
  selection?: Selection
  /** All rows of the list, for paper: the page on the screen is only a part of it. */
  print?: List<T>
  /** True for a row whose record is over. Its state and its links keep their colors. */
  isDimmed?: ((row: T) => boolean) | undefined
}

interface BodyProps<T> extends Pick<Props<T>, 'columns' | 'keyOf' | 'isDimmed'> {
  rows: T[]
  selection: Selection | undefined
}

/**
 * A list with pages. The ARIA roles are explicit, because on a narrow screen CSS turns the rows into cards, and
 * browsers then drop the roles of the table.
 */
export function PageTable<T>({ label, page, columns, keyOf, empty, selection, isDimmed, print }: Props<T>) {
  const printing = usePrint(print)
  const rows = printing.rows ?? page.rows
  if (rows === undefined) {
    if (page.error) return <FailureNote error={page.error} retry={page.retry} />
    return <Loading />
  }
  return (
    <>
      {page.error && <FailureNote error={page.error} retry={page.retry} />}
      {rows.length === 0 ? (
        empty
      ) : (
        <Table
          role="table"
          aria-label={label}
          aria-busy={page.isFetching}
          className={classes.table}
          data-stale={page.isStale || undefined}
          highlightOnHover
          verticalSpacing="xs"
        >
          <colgroup>
            {selection && <col style={{ width: 44 }} />}
            {columns.map(({ head, width }) => (
              <col key={head} style={{ width }} />
            ))}
          </colgroup>
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {selection && (
                <Table.Th role="columnheader">
                  <SelectAll keys={rows.map(keyOf)} selection={selection} />
                </Table.Th>
              )}
              {columns.map(({ head }) => (
                <Table.Th role="columnheader" key={head}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Body rows={rows} columns={columns} keyOf={keyOf} selection={selection} isDimmed={isDimmed} />
        </Table>
      )}
      <PageButtons label={label} page={page} />
      {print && rows.length > 0 && <PrintButton {...printing} />}
    </>
  )
}

/**
 * Fifty rows take a tenth of a second to render, in which nothing else happens. So they are kept while their props are the
 * same: a list that is searched through would otherwise render the old rows twice before the first hit.
 */
function Body<T>({ rows, columns, keyOf, selection, isDimmed }: BodyProps<T>) {
  return useMemo(
    () => (
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <Table.Tr role="row" key={keyOf(row)} {...(isDimmed?.(row) && { c: 'dimmed' })}>
            {selection && (
              <Table.Td role="cell" data-selection>
                <SelectOne rowKey={keyOf(row)} selection={selection} />
              </Table.Td>
            )}
            {columns.map(({ head, cell, narrow }) => (
              <Table.Td role="cell" data-label={head} data-narrow={narrow} key={head}>
                <div>{cell(row)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    ),
    [rows, columns, keyOf, selection, isDimmed],
  )
}

/** Renders nothing if there is only one page. */
export function PageButtons<T>({ label, page }: Pick<Props<T>, 'label' | 'page'>) {
  const { common, lists } = useWords()
  if (page.isSearching) {
    return (
      <Group gap="xs" justify="center" c="dimmed">
        <Loader size="xs" aria-hidden />
        <Text size="sm" role="status">
          {lists.searching}
        </Text>
      </Group>
    )
  }
  if (!page.previous && !page.next) return null
  return (
    <Group justify="space-between" component="nav" aria-label={label}>
      <Button variant="default" disabled={!page.previous} onClick={page.previous}>
        {page.isPreviousFirst ? lists.firstPage : common.previousPage}
      </Button>
      <Text size="sm" c="dimmed" aria-live="polite">
        {common.page(page.number)}
      </Text>
      {page.next || page.isStale ? (
        <Button variant="default" disabled={!page.next} onClick={page.next}>
          {page.isUnfinished ? lists.searchFurther : common.nextPage}
        </Button>
      ) : (
        // Keeps the number of the page in the middle.
        <span />
      )}
    </Group>
  )
}

function SelectAll({ keys, selection }: { keys: string[]; selection: Selection }) {
  const chosen = keys.filter((key) => selection.keys.has(key)).length
  return (
    <Checkbox
      aria-label={selection.labelOfAll}
      checked={chosen > 0 && chosen === keys.length}
      indeterminate={chosen > 0 && chosen < keys.length}
      onChange={({ currentTarget }) => {
        const others = [...selection.keys].filter((key) => !keys.includes(key))
        selection.set(new Set(currentTarget.checked ? [...others, ...keys] : others))
      }}
    />
  )
}

function SelectOne({ rowKey, selection }: { rowKey: string; selection: Selection }) {
  return (
    <Checkbox
      aria-label={selection.label(rowKey)}
      checked={selection.keys.has(rowKey)}
      onChange={({ currentTarget }) => {
        const others = [...selection.keys].filter((key) => key !== rowKey)
        selection.set(new Set(currentTarget.checked ? [...others, rowKey] : others))
      }}
    />
  )
}

/** More rows than this would take the browser long, and twenty sheets of paper. */
const MAX_PRINTED = 1000

/** Reads all rows of the list, and shows them while the browser prints. */
function usePrint<T>(list: List<T> | undefined) {
  const [rows, setRows] = useState<T[]>()
  const reading = useMutation({
    mutationFn: async () => (list ? readRows(list) : []),
    onSuccess: setRows,
  })
  useEffect(() => {
    if (rows === undefined) return undefined
    const end = () => setRows(undefined)
    window.addEventListener('afterprint', end)
    globalThis.print()
    return () => window.removeEventListener('afterprint', end)
  }, [rows])
  return { rows, start: () => reading.mutate(), isReading: reading.isPending, error: reading.error }
}

function PrintButton({ start, isReading, error }: Omit<ReturnType<typeof usePrint>, 'rows'>) {
  const { lists } = useWords()
  return (
    <>
      <FailureNote error={error} />
      <Group justify="end">
        <Button size="compact-sm" variant="subtle" loading={isReading} onClick={start}>
          {lists.print(MAX_PRINTED)}
        </Button>
      </Group>
    </>
  )
}

async function readRows<T>(list: List<T>): Promise<T[]> {
  const { signal } = new AbortController()
  const rows: T[] = []
  for (let after: string | undefined; rows.length < MAX_PRINTED;) {
    const { data, next } = await fillPage(list, { after, signal, size: 100 })
    rows.push(...data)
    if (next === null) break
    after = next
  }
  return rows.slice(0, MAX_PRINTED)
}
