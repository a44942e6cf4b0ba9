/** The statements that write a batch of users: the events of what is planned, and the users that follow the events. */
import { and, eq, isNull, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { storeIn, storeRowIdIn } from '../../../db/ids.ts'
import { product_accesses } from '../../../db/schema/accesses.ts'
import { events, stores, users } from '../../../db/schema/stores.ts'
import { columnsOf, orm, statement } from '../../../db/statement.ts'
import { ofEach } from '../../../lib/names.ts'
import { accessDifferences } from '../../accesses/access-items.ts'
import {
  batchParams,
  givenJson,
  insertBatchEvents,
  isBatchEventOfThisAttempt,
  itemChange,
  selectRecordsOf,
} from '../../../change/many-records.ts'
import { contextParams } from '../../../change/request.ts'
import {
  changedFieldsJson,
  changesJson,
  type Difference,
  differencesOf,
  isChanged,
} from '../../../change/record-fields.ts'
import { mergedCustomFieldsOf } from '../user-writes.ts'
import { PLAIN_FIELDS } from '../user-fields.ts'
import { nested, plan, withPlan } from './plan-items.ts'

/** The columns of an existing user after an update; `fields` is the JSON of an item. Null counts as omitted. */
function userAfter(fields: SQLWrapper): Readonly<Record<string, SQL>> {
  return {
    ...ofEach(PLAIN_FIELDS, (field) => sql`coalesce(${fields} ->> ${field}, ${users[field]})`),
    custom_fields: sql`nullif(${mergedCustomFieldsOf(fields)}, '{}')`,
  }
}

function selectUserChanges() {
  const { position, fields, existing_id } = plan()
  const isNew = isNull(existing_id)
  const differences: Difference[] = [
    ...differencesOf(users, userAfter(fields)),
    // A password that is sent counts as a change, because its hash cannot be compared.
    { field: 'password', from: sql`0`, to: sql`(${fields} ->> 'password_hash' is not null)` },
  ]
  return orm
    .select(
      itemChange({
        position,
        nested: null,
        type: sql`iif(${isNew}, 'user.created', 'user.updated')`,
        subject_id: existing_id,
        previous_id: users.event_id,
        user_id: null,
        product_id: null,
        data: sql`iif(${isNew}, null, ${changedFieldsJson(differences)})`,
      }),
    )
    .from(plan())
    .leftJoin(users, eq(users.id, existing_id))
    .where(and(isAccepted(), or(isNew, isChanged(differences))))
}

function selectAccessChanges() {
  const { item_position, nested_position, given, known_user_id, known_product_id, access_id } = nested()
  const isNew = isNull(access_id)
  const differences = accessDifferences(given)
  return orm
    .select(
      itemChange({
        position: item_position,
        nested: nested_position,
        type: sql`iif(${isNew}, 'product_access.granted', 'product_access.updated')`,
        subject_id: access_id,
        previous_id: product_accesses.event_id,
        user_id: known_user_id,
        product_id: known_product_id,
        data: sql`iif(${isNew}, null, ${changesJson(differences)})`,
      }),
    )
    .from(plan())
    .innerJoin(nested(), eq(item_position, plan().position))
    .leftJoin(product_accesses, eq(product_accesses.id, access_id))
    .where(and(isAccepted(), or(isNew, isChanged(differences))))
}

/** True for an item whose user is created or may be updated. */
function isAccepted(): SQL | undefined {
  const { error, existing_id } = plan()
  return and(isNull(error), or(isNull(existing_id), eq(batchParams.on_existing, 'update')))
}

export const insertPlannedEvents = statement(batchParams, () => {
  const changes = unionAll(selectUserChanges(), selectAccessChanges())
  return insertBatchEvents(sql`(${withPlan()} ${changes.getSQL()})`)
})

function givenValue(field: string) {
  return sql`${givenJson} ->> ${field}`
}

/** Every item has a name, a last name and an email, and an update sets them. */
function foldedColumns() {
  return {
    name_folded: givenValue('name_folded'),
    last_name_folded: givenValue('last_name_folded'),
    email_folded: givenValue('email_folded'),
  }
}

export const insertUsers = statement(batchParams, () =>
  orm.insert(users).select(
    orm
      .select(
        columnsOf(users, {
          id: events.id,
          store: storeIn(events.id),
          ...ofEach(PLAIN_FIELDS, givenValue),
          email_key: givenValue('email_key'),
          ...foldedColumns(),
          phone_digits: givenValue('phone_digits'),
          role: 'student',
          language: sql`coalesce(${givenValue('language')}, ${stores.language})`,
          custom_fields: sql`${givenJson} -> 'custom_fields'`,
          password_hash: givenValue('password_hash'),
          created_at: contextParams.now,
          updated_at: contextParams.now,
          event_id: events.id,
        }),
      )
      .from(events)
      .innerJoin(stores, eq(stores.id, storeRowIdIn(storeIn(events.id))))
      .where(and(isBatchEventOfThisAttempt, eq(events.type, 'user.created'))),
  ),
)

export const updateUsers = statement(batchParams, () =>
  orm
    .update(users)
    .set({
      ...userAfter(givenJson),
      ...foldedColumns(),
      phone_digits: sql`coalesce(${givenValue('phone_digits')}, ${users.phone_digits})`,
      email_key: givenValue('email_key'),
      password_hash: sql`coalesce(${givenValue('password_hash')}, ${users.password_hash})`,
      updated_at: sql`${contextParams.now}`,
      event_id: events.id,
    })
    .from(events)
    .where(and(isBatchEventOfThisAttempt, eq(events.type, 'user.updated'), eq(users.id, events.subject_id))),
)

export const selectUserRecords = selectRecordsOf(users, { created: 'user.created', updated: 'user.updated' })
