/** The statements that write a batch of users, in their order: the events, and what follows each. */
import { sql } from 'drizzle-orm'
import { insertFrom, type Params, statement } from '../../db/statement.ts'
import { stores, users } from '../../db/schema.ts'
import { type BatchValues, freshEvents, insertEvents, ownEvents, selectMadeOf } from '../change/batch-events.ts'
import { eventId } from '../change/event.ts'
import { storeRowId } from '../change/authorize.ts'
import { plannedChanges, updatedCustomFields, updatedField } from './plan-batch.ts'

type P = Params<BatchValues>

export const insertPlanned = statement((p: P, orm) => insertEvents(orm, p, plannedChanges(p)))

const fields = sql`e.given`

export const insertUsers = statement((p: P, orm) =>
  insertFrom(
    orm,
    users,
    {
      id: eventId,
      store: p.store,
      email_key: sql`${fields} ->> 'email_key'`,
      email: sql`${fields} ->> 'email'`,
      name: sql`${fields} ->> 'name'`,
      last_name: sql`${fields} ->> 'last_name'`,
      role: 'student',
      language: sql`coalesce(${fields} ->> 'language', (select language from ${stores} where id = ${storeRowId(p)}))`,
      phone: sql`${fields} ->> 'phone'`,
      country: sql`${fields} ->> 'country'`,
      external_id: sql`${fields} ->> 'external_id'`,
      avatar: sql`${fields} ->> 'avatar'`,
      custom_fields: sql`${fields} -> 'custom_fields'`,
      password_hash: sql`${fields} ->> 'password_hash'`,
      created_at: p.now,
      updated_at: p.now,
      event_id: eventId,
    },
    sql`from ${freshEvents(p)} e where e.type = 'user.created'
      and not exists (select 1 from ${users} made where made.id = e.id)`,
  ),
)

export const updateUsers = statement((p: P, orm) =>
  orm
    .update(users)
    .set({
      email_key: sql`${fields} ->> 'email_key'`,
      email: updatedField('email', fields),
      name: updatedField('name', fields),
      last_name: updatedField('last_name', fields),
      language: updatedField('language', fields),
      phone: updatedField('phone', fields),
      country: updatedField('country', fields),
      external_id: updatedField('external_id', fields),
      avatar: updatedField('avatar', fields),
      custom_fields: updatedCustomFields(fields),
      password_hash: sql`coalesce(${fields} ->> 'password_hash', ${users.password_hash})`,
      updated_at: sql`${p.now}`,
      event_id: eventId,
    })
    .from(sql`${ownEvents(p)} e`)
    .where(sql`e.type = 'user.updated' and ${users.id} = e.subject_id and ${users.event_id} < e.id`),
)

export const selectMade = selectMadeOf(users, { created: 'user.created', updated: 'user.updated' })
