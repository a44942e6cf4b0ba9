/** The custom fields that a store defines for its users. */
import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { storeIn } from '../../db/ids.ts'
import { custom_fields, type CustomField, events } from '../../db/schema.ts'
import { columnsOf, limitOf, orm, params, statement, withJoins } from '../../db/statement.ts'
import {
  applied,
  attemptRules,
  isEventOfThisAttempt,
  selectRequestWithEarlierAttempts,
  permitted,
} from '../change/attempts.ts'
import { authorization, storeNumber } from '../change/authorize.ts'
import { newEvent, newEventId } from '../change/event.ts'
import type { RequestFields } from '../change/request.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import { noneHolds, rule } from '../change/rules.ts'
import { deletionOf } from '../change/update.ts'
import type { EventType } from '../events/event-types.ts'
import { type Page, pageParams, type PageRequest, readPage } from '../pages.ts'

interface PutInput {
  key: string
  /** If undefined, a new field has no label, and an existing one keeps its own. */
  label: string | undefined
}

interface PutField {
  row: CustomField
  /** True if this request has defined the field. */
  isNew: boolean
}

/**
 * Defines the field, or changes its label. Throws the errors of the authorization, and `not_found` if the field has been
 * deleted since an earlier attempt.
 */
export async function putCustomField(db: Db, context: RequestContext, { key, label }: PutInput): Promise<PutField> {
  const values = { key, label: label ?? null }
  const { is_new, ...result } = await commit(db, context, {
    event: insertPutEvent(values),
    field: upsertField(values),
    result: selectPut(values),
  })
  return { row: requireRecord<CustomField>(result), isNew: is_new === 1 }
}

const keyParams = params('key')

const putParams = { ...keyParams, ...params('label') }

const { label } = custom_fields

const isFieldOfKey = and(eq(custom_fields.store, permitted.store), eq(custom_fields.key, keyParams.key))

const putRules = [
  ...attemptRules,
  ...authorization,
  rule('unchanged', and(isNotNull(custom_fields.id), or(isNull(putParams.label), sql`${label} is ${putParams.label}`))),
]

/** One row: the request with the field, if the store defines it. */
function selectPutRequest<Fields extends RequestFields>(fields: Fields) {
  return withJoins(selectRequestWithEarlierAttempts(fields), [custom_fields, isFieldOfKey])
}

const created: EventType = 'custom_field.created'
const updated: EventType = 'custom_field.updated'

const labelChange = sql`json_object('label', json_object('from', ${label}, 'to', ${putParams.label}))`

const insertPutEvent = statement(putParams, () => {
  const isNew = isNull(custom_fields.id)
  return orm.insert(events).select(
    selectPutRequest(
      newEvent({
        type: sql<EventType>`iif(${isNew}, ${created}, ${updated})`,
        subject: { id: sql`coalesce(${custom_fields.id}, ${newEventId})`, event_id: custom_fields.event_id },
        data: sql`iif(${isNew}, json_object('custom_field_key', ${putParams.key}),
          json_object('custom_field_key', ${putParams.key}, 'changes', ${labelChange}))`,
      }),
    ).where(noneHolds(putRules)),
  )
})

/** Inserts the field that the event creates, or sets the label of the field that it updates. */
const upsertField = statement(putParams, () =>
  orm
    .insert(custom_fields)
    .select(
      orm
        .select(
          columnsOf(custom_fields, {
            ...putParams,
            id: events.subject_id,
            store: storeIn(events.id),
            created_at: contextParams.now,
            event_id: events.id,
          }),
        )
        .from(events)
        .where(isEventOfThisAttempt),
    )
    .onConflictDoUpdate({
      target: custom_fields.id,
      set: { label: sql`excluded.label`, event_id: sql`excluded.event_id` },
    }),
)

const selectPut = statement(putParams, () =>
  selectPutRequest({
    ...resultOf(putRules),
    is_new: sql<0 | 1>`coalesce(${custom_fields.id} = ${applied.id}, 0)`.as('is_new'),
    ...getTableColumns(custom_fields),
  }),
)

const deleteRecord = deletionOf(keyParams, () => ({
  table: custom_fields,
  type: 'custom_field.deleted',
  isRecord: isFieldOfKey,
  event: { data: sql`json_object('custom_field_key', ${custom_fields.key})` },
  record: {},
}))

/**
 * Users keep their values of the field, and new values are rejected. Throws the errors of the authorization and
 * `not_found`.
 */
export async function deleteCustomField(db: Db, context: RequestContext, key: string): Promise<void> {
  await deleteRecord(db, context, { key })
}

/** Throws the errors of the authorization. */
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
