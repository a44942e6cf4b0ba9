import { Anchor, Button, Stack, Text } from '@mantine/core'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useStore } from '../store.ts'
import { fieldName } from '../words/field-name.ts'
import { useWords } from '../words/index.tsx'
import { EventLine, type ShownEvent } from './event-line.tsx'
import type { EventGroup as Group } from './fold-events.ts'

interface Props {
  group: Group<ShownEvent>
  /** Names the records of an event, with links. */
  Subject?: ComponentType<{ store: string; event: ShownEvent }>
  /** The name of the product of an event, where it is known. */
  productOf?: (event: ShownEvent) => string | undefined
}

/** One line for the events that belong together. Those of one request can be shown one by one. */
export function EventGroup({ group, Subject, productOf }: Props) {
  const { timeline } = useWords()
  const store = useStore()
  const [isOpen, setOpen] = useState(false)
  const { kind, first, rest } = group
  const line = (event: ShownEvent, note?: ReactNode) => {
    const product = productOf?.(event)
    return (
      <EventLine
        event={event}
        {...(Subject && { about: <Subject store={store} event={event} /> })}
        {...(product !== undefined && { product })}
        {...(note !== undefined && { note })}
      />
    )
  }
  if (kind === 'progress') return line(first, <ProgressNote events={[first, ...rest]} />)
  if (kind === 'bulk_change') return line(first, <BulkChangeNote id={group.bulkChange ?? ''} others={rest.length} />)
  if (kind === 'single') return line(first)
  return (
    <Stack gap="xs" align="start">
      <div style={{ width: '100%' }}>{line(first)}</div>
      {isOpen && rest.map((event) => <div key={event.id}>{line(event)}</div>)}
      <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? timeline.less : timeline.ofSameRequest(rest.length)}
      </Button>
    </Stack>
  )
}

/** Names the fields that any of the events has. */
function ProgressNote({ events }: { events: ShownEvent[] }) {
  const words = useWords()
  const fields = events.flatMap(({ data }) => ('fields' in data && data.fields ? data.fields : []))
  const names = [...new Set(fields)].map((field) => fieldName(field, words)).join(', ')
  return (
    <Text size="sm">
      {words.timeline.fieldsChanged(names)} · {words.timeline.times(events.length)}
    </Text>
  )
}

function BulkChangeNote({ id, others }: { id: string; others: number }) {
  const { timeline } = useWords()
  const store = useStore()
  return (
    <Text size="sm">
      <Anchor href={`#/s/${encodeURIComponent(store)}/bulk-changes/${id}`} inherit>
        {timeline.bulkChange(id)}
      </Anchor>
      {others > 0 && <> · {timeline.moreAccesses(others)}</>}
    </Text>
  )
}
