import { List, Stack, Text } from '@mantine/core'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../parts/page-table.tsx'
import { RequestId } from '../../parts/request-id.tsx'
import { useWords } from '../../words/index.tsx'
import type { Plan } from './plan.ts'
import { StatusBadge } from './status-badge.tsx'
import type { BulkRow, RowState } from './use-bulk.ts'

/** Dates stay on one line, and a word breaks only if it is longer than its column. */
const NO_WRAP = { whiteSpace: 'nowrap' } as const
const BREAK_LONG_WORDS = { overflowWrap: 'break-word' } as const

const BAD: ReadonlySet<RowState> = new Set(['unreadable', 'conflict', 'rejected', 'noResponse'])

export function useBulkColumns(): Column<BulkRow>[] {
  const words = useWords()
  const { accesses } = words
  return [
    {
      head: accesses.user,
      cell: ({ id, access }) =>
        access ? (
          <>
            {access.user.name} {access.user.last_name}
            <Text size="xs" c="dimmed">
              {access.user.email}
            </Text>
          </>
        ) : (
          accesses.accessNumber(id)
        ),
    },
    { head: accesses.product, cell: ({ access }) => access?.product.name },
    { head: accesses.change, cell: ({ plan }) => plan && <PlanText plan={plan} /> },
    { head: accesses.result, cell: (row) => <Result row={row} /> },
  ]
}

function PlanText({ plan }: { plan: Plan }) {
  const { accesses } = useWords()
  if ('reason' in plan) {
    return (
      <Text size="sm" c="dimmed">
        {accesses.reasons[plan.reason]}
      </Text>
    )
  }
  return (
    <Stack gap={2}>
      {plan.field === 'status' ? (
        <span>
          <StatusBadge status={plan.from} /> → <StatusBadge status={plan.to} />
        </span>
      ) : (
        <span>
          <span style={NO_WRAP}>
            <Moment at={plan.from} empty={accesses.noLimit} /> →
          </span>{' '}
          <b style={NO_WRAP}>
            <Moment at={plan.to} empty={accesses.noLimit} />
          </b>
        </span>
      )}
      {plan.remarks.map((remark) => (
        <Text size="xs" key={remark}>
          {accesses.remarks[remark]}
        </Text>
      ))}
    </Stack>
  )
}

function Result({ row: { state, failure } }: { row: BulkRow }) {
  const words = useWords()
  const { accesses } = words
  const isBad = BAD.has(state)
  return (
    <Stack gap={2} style={BREAK_LONG_WORDS} miw={120}>
      <Text size="sm" fw={isBad || state === 'done' ? 600 : 400} {...(isBad && { c: 'var(--mantine-color-error)' })}>
        {accesses.states[state]}
      </Text>
      {failure && state !== 'conflict' && state !== 'noResponse' && <Text size="sm">{failure.message}</Text>}
      {failure && failure.details.length > 0 && (
        <List size="xs">
          {failure.details.map(({ field, explanation }) => (
            <List.Item key={field}>
              <b>{field}</b> {explanation}
            </List.Item>
          ))}
        </List>
      )}
      <RequestId id={failure?.requestId} />
    </Stack>
  )
}
