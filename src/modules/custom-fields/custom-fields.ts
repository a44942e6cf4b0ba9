/** The custom fields that a store defines for its users. */
import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { custom_fields, type CustomField, events } from '../../db/schema/stores.ts'
import { columnsOf, limitOf, orm, params, statement } from '../../db/statement.ts'
import { ownEvent, newEventId, permittedStore } from '../../change/event.ts'
import { type RequestContext, rule, storeNumber } from '../../change/request.ts'
import { creationOf, newRecord } from '../../change/create-record.ts'
import { deletionOf } from '../../change/update-record.ts'
import type { EventType } from '../../change/event-types.ts'
import { type Page, pageParams, type PageRequest, readPage } from '../../change/pages.ts'

interface PutInput {
  key: string
  /** If undefined, a new field has no label, and an existing one keeps its own. */
  label: string | undefined
}

interface PutField {
  row: CustomField
  isNew: boolean
}

/** Defines the field, or changes its label. Throws `not_found` if the field has been deleted since an earlier attempt. */
export async function putCustomField(db: Db, context: RequestContext, { key, label }: PutInput): Promise<PutField> {
  const { is_new, ...row } = (await put(db, context, { key, label: label ?? null })).row
  return { row, isNew: is_new === 1 }
}

const keyParams = params('key')

const putParams = { ...keyParams, ...params('label') }

/** The field that has the key already. */
const existing = alias(custom_fields, 'existing')

const isField = ({ store, key }: Record<'store' | 'key', SQLiteColumn>) =>
  and(eq(store, permittedStore), eq(key, keyParams.key))

const created: EventType = 'custom_field.created'
const updated: EventType = 'custom_field.updated'

/** Inserts the field that the event creates, or sets the label of the field that it updates. */
const put = creationOf(putParams, () => {
  const { key, label } = putParams
  const isNew = isNull(existing.id)
  const changes = sql`json_object('label', json_object('from', ${existing.label}, 'to', ${label}))`
  return {
    type: sql<EventType>`iif(${isNew}, ${created}, ${updated})`,
    table: custom_fields,
    joins: [[existing, isField(existing)]],
    rules: [rule('unchanged', and(isNotNull(existing.id), or(isNull(label), sql`${existing.label} is ${label}`)))],
    event: {
      subject: { id: sql`coalesce(${existing.id}, ${newEventId})`, event_id: existing.event_id },
      data: sql`iif(${isNew}, json_object('custom_field_key', ${key}),
          json_object('custom_field_key', ${key}, 'changes', ${changes}))`,
    },
    columns: columnsOf(custom_fields, { ...putParams, ...newRecord(), id: events.subject_id }),
    set: { label: sql`excluded.label`, event_id: sql`excluded.event_id` },
    id: sql`coalesce(${ownEvent.subject_id}, ${existing.id})`,
    record: {
      ...getTableColumns(custom_fields),
      is_new: sql<0 | 1>`coalesce(${custom_fields.id} = ${ownEvent.id}, 0)`.as('is_new'),
    },
  }
})

const deleteRecord = deletionOf(keyParams, () => ({
  table: custom_fields,
  type: 'custom_field.deleted',
  isRecord: isField(custom_fields),
  event: { data: sql`json_object('custom_field_key', ${custom_fields.key})` },
  record: {},
}))

/** Users keep their values of the field, and new values are rejected. Throws `not_found`. */
export async function deleteCustomField(db: Db, context: RequestContext, key: string): Promise<void> {
  await deleteRecord(db, context, { key })
}

export function listCustomFields(
  db: Db,
  context: RequestContext,
  { limit, after = '' }: PageRequest<string>,
): Promise<Page<CustomField>> {
  return readPage(db, context, {
    limit,
    cursorOf: (row) => row.key,
    select: (count) => selectFields({ after, count }),
  })
}

const selectFields = statement(pageParams, () =>
  orm
    .select()
    .from(custom_fields)
    .where(and(eq(custom_fields.store, storeNumber), gt(custom_fields.key, pageParams.after)))
    .orderBy(asc(custom_fields.key))
    .limit(limitOf(pageParams.count)),
)
