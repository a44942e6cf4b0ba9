import { Group, SegmentedControl, Stack, Title } from '@mantine/core'
import { FileIcon, PaperAirplaneIcon } from '@primer/octicons-react'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useNote } from '../../api/notes.ts'
import { usePages } from '../../api/pages.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { OrderControl } from '../../parts/order-control.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { RowAction } from '../../parts/row-action.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { nameIn } from '../../words/name-in.ts'
import { DELIVERY_STATES, deliveryFilter } from './delivery-filter.ts'
import { SentEvent } from './sent-event.tsx'

type Delivery = Schemas['WebhookDelivery']

const REFRESH_MS = 5_000
const BADGES = { pending: 'waiting', delivered: 'good', failed: 'bad' } as const

export function Deliveries({ endpoint }: { endpoint: string }) {
  const { webhooks, common } = useWords()
  const store = useStore()
  const { filter, setFilter, place } = useAddress(deliveryFilter)
  const { state, order } = filter
  const [failure, setFailure] = useState<unknown>()
  const [shownEvent, setShownEvent] = useState<string>()
  const [isEventOpen, setEventOpen] = useState(false)
  const page = usePages(
    ['deliveries', store, endpoint, filter],
    (after) =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/webhook_endpoints/{id}/deliveries', {
          params: {
            path: { store_id: store, id: endpoint },
            query: { ...filter, ...(after !== undefined && { after }) },
          },
        }),
      ),
    { refreshMs: REFRESH_MS, place },
  )
  const columns = useColumns(endpoint, setFailure, (event) => {
    setShownEvent(event)
    setEventOpen(true)
  })
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {webhooks.deliveries}
        </Title>
        <Group gap="xs">
          <SegmentedControl
            aria-label={webhooks.deliveryState}
            data={[
              { value: 'all', label: common.all },
              ...DELIVERY_STATES.map((value) => ({ value, label: webhooks.deliveryStates[value] })),
            ]}
            value={state ?? 'all'}
            onChange={(chosen) => setFilter(deliveryFilter({ state: chosen, order }))}
          />
          <OrderControl value={order} onChange={(next) => setFilter({ ...(state && { state }), ...next })} />
        </Group>
      </Group>
      <FailureNote error={failure} />
      <PageTable
        label={webhooks.deliveries}
        page={page}
        columns={columns}
        keyOf={({ event_id }) => event_id}
        empty={<Empty text={state ? webhooks.noneInState : webhooks.noDeliveries} />}
      />
      <Dialog
        title={webhooks.eventTitle(shownEvent ?? '')}
        isOpen={isEventOpen}
        onClose={() => setEventOpen(false)}
        size="lg"
      >
        {shownEvent !== undefined && <SentEvent id={shownEvent} />}
      </Dialog>
    </Stack>
  )
}

function useColumns(
  endpoint: string,
  onFailure: (failure: unknown) => void,
  onShow: (event: string) => void,
): Column<Delivery>[] {
  const { webhooks, common, eventTypes } = useWords()
  const canChange = useSession().can('stores:write')
  return [
    { head: webhooks.event, width: '8%', cell: ({ event_id }) => event_id },
    { head: webhooks.eventType, cell: ({ type }) => nameIn(eventTypes, type) },
    {
      head: webhooks.state,
      width: '12%',
      cell: ({ state }) => <StateBadge state={BADGES[state]}>{webhooks.deliveryStates[state]}</StateBadge>,
    },
    { head: webhooks.attempts, width: '9%', cell: ({ attempts }) => attempts },
    {
      head: webhooks.lastResponse,
      width: '11%',
      cell: ({ attempts, last_status }) =>
        last_status ?? (attempts === 0 ? webhooks.noResponseYet : webhooks.noResponse),
    },
    {
      head: webhooks.lastAttempt,
      width: '16%',
      cell: ({ last_attempt_at }) => <Moment at={last_attempt_at} empty={common.never} />,
    },
    {
      head: webhooks.nextAttempt,
      width: '16%',
      // While the endpoint is down, only its oldest delivery is tried.
      cell: ({ state, next_attempt_at }) => (
        <Moment at={next_attempt_at} empty={state === 'pending' ? webhooks.whenBack : '–'} />
      ),
    },
    {
      head: common.actions,
      width: '6rem',
      cell: ({ event_id }) => (
        <Group gap={4} wrap="nowrap">
          <RowAction label={webhooks.showEvent(event_id)} Icon={FileIcon} onClick={() => onShow(event_id)} />
          {canChange && <Redeliver endpoint={endpoint} event={event_id} onFailure={onFailure} />}
        </Group>
      ),
    },
  ]
}

interface RedeliverProps {
  endpoint: string
  event: string
  onFailure: (failure: unknown) => void
}

function Redeliver({ endpoint, event, onFailure }: RedeliverProps) {
  const { webhooks } = useWords()
  const note = useNote()
  const path = { store_id: useStore(), id: endpoint, event_id: event }
  const change = useChange({
    change: async () => {
      onFailure(undefined)
      try {
        return await bodyOf(
          api.POST('/admin/stores/{store_id}/webhook_endpoints/{id}/deliveries/{event_id}/redeliver', {
            params: { path },
          }),
        )
      } catch (error) {
        onFailure(error)
        throw error
      }
    },
    onDone: ({ state, last_status }) => {
      const hasArrived = state === 'delivered'
      note(hasArrived ? webhooks.redelivered : webhooks.redeliverFailed(last_status), hasArrived ? 'good' : 'bad')
    },
  })
  return (
    <RowAction
      label={webhooks.redeliverOne(event)}
      Icon={PaperAirplaneIcon}
      onClick={() => change.run(undefined)}
      isRunning={change.isRunning}
    />
  )
}
