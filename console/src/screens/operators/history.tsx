import { Card, Stack, Text, Title } from '@mantine/core'
import { usePages } from '../../api/pages.ts'
import { EventLine } from '../../parts/event-line.tsx'
import { PageButtons } from '../../parts/page-table.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useWords } from '../../words/index.tsx'
import { listNewest } from './newest-events.ts'

export function OperatorHistory() {
  const { operators } = useWords()
  const page = usePages(['operator-events'], listNewest)
  return (
    <Stack>
      <Title order={2} size="h4">
        {operators.history}
      </Title>
      <FailureNote error={page.error} retry={page.retry} />
      {page.rows?.length === 0 && <Text c="dimmed">{operators.noHistory}</Text>}
      {page.rows !== undefined && page.rows.length > 0 && (
        <Card withBorder aria-busy={page.isFetching}>
          <Stack>
            {page.rows.map((event) => (
              <EventLine
                key={event.id}
                event={event}
                {...('operator_id' in event.data && { about: operators.id(event.data.operator_id) })}
              />
            ))}
          </Stack>
        </Card>
      )}
      <PageButtons label={operators.history} page={page} />
    </Stack>
  )
}
