import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-table.module.css'

interface Props {
  /** The name of the table for screen readers. */
  label: string
  /** Those without a width share the rest. */
  columns: { head: string; width?: string }[]
  rows: { key: string | number; cells: ReactNode[] }[]
}

/** A table without pages. Its roles are explicit, as those of `PageTable`. */
export function DataTable({ label, columns, rows }: Props) {
  return (
    <Table role="table" aria-label={label} className={classes.table} verticalSpacing="xs">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ head, width }) => (
            <Table.Th role="columnheader" key={head} {...(width !== undefined && { w: width })}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map(({ key, cells }) => (
          <Table.Tr role="row" key={key}>
            {columns.map(({ head }, i) => (
              <Table.Td role="cell" data-label={head} key={head}>
                {cells[i]}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
