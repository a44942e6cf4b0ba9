import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { TitledCard } from '../../parts/titled-card.tsx'
import { useWords } from '../../words/index.tsx'

/** How many rows of the file a card shows; its download has all. */
export const SHOWN = 50

interface Props {
  title: string
  hint: string
  download: ReactNode
  /** The title of the last column. */
  about: string
  rows: { line: number; person: string | undefined; content: ReactNode }[]
  /** Says how many more rows there are, if there are any. */
  more: string | undefined
}

/** Shows rows of the file with their persons and what there is to say about each. */
export function RowCard({ title, hint, download, about, rows, more }: Props) {
  const words = useWords()
  return (
    <TitledCard title={title} hint={hint} action={download}>
      <DataTable
        label={title}
        columns={[
          { head: words.import.lineHead, width: '4rem' },
          { head: words.import.person, width: '30%' },
          { head: about },
        ]}
        rows={rows.map(({ line, person, content }) => ({ key: `${line} ${person}`, cells: [line, person, content] }))}
      />
      {more !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {more}
        </Text>
      )}
    </TitledCard>
  )
}
