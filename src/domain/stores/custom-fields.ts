import { asc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { beside, insertFrom, type Params, type RowOf, statement } from '../../db/statement.ts'
import { custom_fields, type CustomField, events } from '../../db/schema.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { deletionOf, sendDeletion } from '../change/creations.ts'
import {
  decide,
  eventId,
  followsOwnEvent,
  fromOwnEvent,
  insertEvent,
  ownEvent,
  settleAndWake,
  tellDecision,
} from '../change/event.ts'
import { foundBeside, refusal } from '../errors.ts'
import { type Page, type PageRequest, readPage } from '../pages.ts'

interface FieldPut {
  call: Call
  key: string
  /** Undefined: none in a new field, as before in one that is there. */
  label: string | undefined
}

/** The field, and whether this request has defined it. */
interface PutField {
  row: CustomField
  isNew: boolean
}

type Values = CallValues & { key: string; label: string | null }

/** Defines the field or changes its label. Throws as `foundRow`. */
export async function putCustomField(db: Db, { call, key, label }: FieldPut): Promise<PutField> {
  const values = { ...callValues(call), key, label: label ?? null }
  const { told } = await batch(
    db,
    {
      // Of the two events only one is inserted: the second finds the first.
      created: insertCreated(values),
      field: insertField(values),
      updated: insertUpdated(values),
      label: setLabel(values),
      told: beside(tellPut(values), selectField(values)),
    },
    { retry: 'it finds its own event' },
  )
  const verdict = settleAndWake(db, told)
  if (verdict !== null && verdict !== 'unchanged') throw refusal(verdict)
  const row = foundBeside<RowOf<typeof selectField>>(told)
  return { row, isNew: row.is_own === 1 }
}

function hasKey(p: Params<CallValues & { key: string }>): SQL {
  return sql`${custom_fields.store} = ${p.store} and ${custom_fields.key} = ${p.key}`
}

function decidePut(p: Params<Values>) {
  return decide<'unchanged'>(
    p,
    sql`(select iif(${p.label} is null or label is ${p.label}, 'unchanged', null) from ${custom_fields} where ${hasKey(p)})`,
  )
}

const tellPut = statement((p: Params<Values>, orm) => tellDecision(orm, p, decidePut(p)))

const insertCreated = statement((p: Params<Values>, orm) =>
  insertEvent(orm, p, {
    type: 'custom_field.created',
    decision: decidePut(p),
    data: sql`json_object('custom_field_key', ${p.key})`,
    where: sql`not exists (select 1 from ${custom_fields} where ${hasKey(p)})`,
  }),
)

const insertField = statement((p: Params<Values>, orm) =>
  insertFrom(
    orm,
    custom_fields,
    {
      id: eventId,
      store: p.store,
      key: p.key,
      label: p.label,
      created_at: p.now,
      event_id: eventId,
    },
    sql`${fromOwnEvent(p, custom_fields)} and e.type = 'custom_field.created'`,
  ),
)

const insertUpdated = statement((p: Params<Values>, orm) =>
  insertEvent(orm, p, {
    type: 'custom_field.updated',
    decision: decidePut(p),
    record: custom_fields,
    data: sql`json_object('custom_field_key', ${custom_fields.key},
      'changes', json_object('label', json_object('from', ${custom_fields.label}, 'to', ${p.label})))`,
    where: hasKey(p),
  }),
)

const setLabel = statement((p: Params<Values>, orm) =>
  orm
    .update(custom_fields)
    .set({ label: sql`${p.label}`, event_id: eventId })
    .from(sql`${events} e`)
    .where(followsOwnEvent(p, custom_fields)),
)

const selectField = statement((p: Params<Values>, orm) =>
  orm
    .select({
      ...getTableColumns(custom_fields),
      is_own: sql<0 | 1>`coalesce(id = ${ownEvent(p)}, 0)`.as('is_own'),
    })
    .from(custom_fields)
    .where(hasKey(p)),
)

const deletionSteps = deletionOf<{ key: string }>({
  table: custom_fields,
  type: 'custom_field.deleted',
  which: hasKey,
  data: sql`json_object('custom_field_key', ${custom_fields.key})`,
})

/** Values that users have are kept; new ones are refused from now on. Throws `not_found`. */
export function deleteCustomField(db: Db, call: Call, key: string): Promise<void> {
  return sendDeletion(db, deletionSteps({ ...callValues(call), key }))
}

export function listCustomFields(
  db: Db,
  call: Call,
  { limit, after = '' }: PageRequest<string>,
): Promise<Page<CustomField>> {
  return readPage(db, call, {
    limit,
    cursorOf: (row) => row.key,
    select: (count) => selectFields({ ...callValues(call), after, count }),
  })
}

const selectFields = statement((p: Params<CallValues & { after: string; count: number }>, orm) =>
  orm
    .select()
    .from(custom_fields)
    .where(sql`store = ${p.store} and key > ${p.after}`)
    .orderBy(asc(custom_fields.key))
    .limit(p.count),
)
