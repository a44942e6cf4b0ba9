import { Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readPage, useAddress } from '../../address.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { listOperatorEvents } from '../../api/event-feed.ts'
import { usePages } from '../../api/pages.ts'
import { EventLine } from '../../parts/event-line.tsx'
import { PageButtons } from '../../parts/page-table.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useWords } from '../../words/index.tsx'

export function OperatorHistory() {
  const { operators } = useWords()
  const names = useOperatorNames()
  const { place } = useAddress(readPage, 'history_')
  const page = usePages(['operator-events'], listOperatorEvents, { place })
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
                {...('operator_id' in event.data && {
                  about: names.get(event.data.operator_id) ?? operators.id(event.data.operator_id),
                })}
              />
            ))}
          </Stack>
        </Card>
      )}
      <PageButtons label={operators.history} page={page} />
    </Stack>
  )
}

/** The names of the operators. The events only have their ids. */
function useOperatorNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({ queryKey: ['operators', 'names'], queryFn: listOperators })
  return new Map(data?.map(({ id, name }) => [id, name]))
}

/** Operators beyond the limit are shown by their numbers. */
const MAX_NAMED = 1000

async function listOperators(): Promise<Schemas['Operator'][]> {
  const operators: Schemas['Operator'][] = []
  let after: string | undefined
  do {
    const query = { limit: 100, ...(after !== undefined && { after }) }
    const page = await bodyOf(api.GET('/admin/operators', { params: { query } }))
    operators.push(...page.data)
    after = page.next ?? undefined
  } while (after !== undefined && operators.length < MAX_NAMED)
  return operators
}
