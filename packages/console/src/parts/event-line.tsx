import { ActionIcon, CopyButton, Group, List, Stack, Text } from '@mantine/core'
import { ArrowRightIcon, CheckIcon, CopyIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { fieldName } from '../words/field-name.ts'
import { nameIn } from '../words/name-in.ts'
import { type Words, useWords } from '../words/index.tsx'
import { Moment } from './moment.tsx'

export type ShownEvent = Schemas['StoreEvent']

interface Props {
  event: ShownEvent
  /** The record that the event belongs to, such as the name of a product; it is shown next to the title. */
  about?: ReactNode
  /** The product of the event, which becomes part of the sentence. */
  product?: string
  /** Replaces the fields and values that the event has changed. */
  note?: ReactNode
}

/** Shows an event in words: what happened, when, who did it, and the old and new values. */
export function EventLine({ event, about, product, note }: Props) {
  const words = useWords()
  return (
    <Stack gap={2}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Text component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit fw={600}>
            {words.eventSentences[event.type](product)}
          </Text>
          {about !== undefined && <> · {about}</>}
        </Text>
        {event.request_id !== null && <CopyRequestId id={event.request_id} />}
      </Group>
      <Text component="div" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <Moment at={event.timestamp} /> · {actorText(event.actor, words)}
      </Text>
      {note ?? <Changes event={event} />}
    </Stack>
  )
}

function CopyRequestId({ id }: { id: string }) {
  const { common, failure } = useWords()
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color={copied ? 'teal' : 'gray'}
          size="sm"
          onClick={copy}
          title={`${failure.copyRequestId}: ${id}`}
          aria-label={copied ? common.copied : failure.copyRequestId}
        >
          {copied ? <CheckIcon size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  )
}

function Changes({ event: { data } }: { event: ShownEvent }) {
  return (
    <>
      {'fields' in data && data.fields && <ChangedFields fields={data.fields} />}
      {'changes' in data && data.changes && <ChangedValues changes={data.changes} />}
    </>
  )
}

function ChangedFields({ fields }: { fields: string[] }) {
  const words = useWords()
  const names = fields.map((field) => fieldName(field, words)).join(', ')
  return <Text size="sm">{words.timeline.fieldsChanged(names)}</Text>
}

function ChangedValues({ changes }: { changes: Record<string, Schemas['Change']> }) {
  const words = useWords()
  return (
    <List size="sm" listStyleType="none">
      {Object.entries(changes).map(([field, { from, to }]) => (
        <List.Item key={field} style={{ overflowWrap: 'anywhere' }}>
          {fieldName(field, words)}: <ChangedValue field={field} value={from} />{' '}
          <ArrowRightIcon size={14} aria-label={words.timeline.becomes} verticalAlign="middle" />{' '}
          <b>
            <ChangedValue field={field} value={to} />
          </b>
        </List.Item>
      ))}
    </List>
  )
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function ChangedValue({ field, value }: { field: string; value: Schemas['ChangedValue'] }) {
  const { common, dueDate, statuses, roles, eventTypes, tokens, webhooks } = useWords()
  // An endpoint without a choice of types gets all events.
  if (value === null && field === 'types') return <>{webhooks.allEvents}</>
  if (value === null) return <>{field === 'access_due_date' ? dueDate.noLimit : common.none}</>
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>
  if (typeof value === 'string' && INSTANT.test(value)) return <Moment at={value} />
  if (field === 'status') return <>{nameIn(statuses, String(value))}</>
  if (!Array.isArray(value)) return <>{field === 'role' ? nameIn(roles, String(value)) : String(value)}</>
  const names = value.map((item) => {
    if (field === 'scopes') return nameIn(scopeNames(tokens), item)
    return field === 'types' ? nameIn(eventTypes, item) : item
  })
  return <>{names.join(', ')}</>
}

function scopeNames({ scopeWords }: Words['tokens']): Record<string, string> {
  return Object.fromEntries(Object.entries(scopeWords).map(([scope, { name }]) => [scope, name]))
}

/** Such as “operator Olivia”. */
export function actorText(actor: Schemas['Actor'], { timeline, system }: Words): string {
  if (actor.type === 'system') return system
  // The name is missing only in the events that integrators get.
  return actor.type === 'operator' ? timeline.operator(actor.name ?? '') : timeline.token(actor.name)
}
