/** Correcting a user: one batch, and where a password is sent one question before it (see create-user.ts). */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { beside, type Nullable, type Params, type RowOf, statement } from '../../db/statement.ts'
import { idIn, numberOf } from '../../db/ids.ts'
import { events, type User, users } from '../../db/schema.ts'
import { isObject } from '../../json.ts'
import { callValues } from '../change/context.ts'
import {
  type ChangeValues,
  type Compared,
  fieldValues,
  isAnyChanged,
  isEtagMismatch,
  type RecordAsked,
  recordValues,
  shownChanges,
} from '../change/changes.ts'
import { unknownCustomFields } from './create.ts'
import { decide, eventId, followsOwnEvent, insertEvent, settleAndWake, tellMore } from '../change/event.ts'
import { emailKeyOf } from './emails.ts'
import { foundBeside, Refusal, refusal } from '../errors.ts'
import { noteLastUse } from '../change/last-use.ts'
import { PLAIN_FIELDS, type PlainField } from './fields.ts'
import { selectUser } from './users.ts'

interface UserUpdate extends RecordAsked {
  /** Undefined keeps the value, null clears it. */
  fields: { readonly [Field in PlainField]?: string | null | undefined }
  /** An object, of which each key is set on its own, and null removes it; null clears them all. */
  custom_fields: unknown
  /** Makes the PHC string of a new password, if one was sent. Called only once nothing else speaks against it. */
  hashPassword: (() => Promise<string>) | undefined
}

/** Throws `unknown_custom_fields`, `not_found`, `etag_mismatch` and `email_taken`. */
export async function updateUser(db: Db, input: UserUpdate): Promise<User> {
  const asked = { ...callValues(input.call), ...updateValues(input), password_hash: null }

  if (input.hashPassword) {
    const { told } = await batch(
      db,
      { told: beside(tellUpdate(asked), selectUser(asked)), lastUse: noteLastUse(input.call) },
      { retry: 'done twice is done once' },
    )
    if (told[0]?.verdict !== null) return outcome(db, told)
  }

  const values = { ...asked, password_hash: (await input.hashPassword?.()) ?? null }
  const { told } = await batch(
    db,
    {
      event: insertUpdated(values),
      user: applyUpdate(values),
      told: beside(tellUpdate(values), selectUser(values)),
      lastUse: noteLastUse(input.call),
    },
    { retry: 'it finds its own event' },
  )
  return outcome(db, told)
}

function updateValues({ number, ifMatch, fields, custom_fields, hashPassword }: UserUpdate) {
  const patch = isObject(custom_fields) ? custom_fields : {}
  const keys = Object.keys(patch).filter((key) => patch[key] !== null)
  return {
    ...recordValues(number, ifMatch),
    ...fieldValues(PLAIN_FIELDS, fields),
    email_key: fields.email == null ? null : emailKeyOf(fields.email),
    clears_custom_fields: custom_fields === null ? 1 : 0,
    custom_fields: JSON.stringify(patch),
    custom_field_keys: JSON.stringify(keys),
    sets_password: hashPassword ? 1 : 0,
  }
}

type Values = ChangeValues<PlainField> & ReturnType<typeof updateValues> & { password_hash: string | null }

type OwnVerdict = 'unknown_custom_fields' | 'email_taken' | 'unchanged'

/** What speaks against the change, in the order of docs/errors.md. */
function decideUpdate(p: Params<Values>) {
  return decide<OwnVerdict>(
    p,
    sql`iif(exists ${unknownCustomFields(p)}, 'unknown_custom_fields', null)`,
    sql`(select case when ${users.id} is null then 'not_found' when ${isEtagMismatch(p, users.event_id)} then 'etag_mismatch'
      when exists ${userWithEmail(p)} then 'email_taken' when not ${isAnyChanged(compared(p))} then 'unchanged' end
      from (select 1) left join ${users} on ${isUser(p)})`,
  )
}

const isUser = (p: Params<Values>): SQL => sql`${users.id} = ${idIn(p.store, p.number)}`

/** Another one, who has the new e-mail. */
function userWithEmail(p: Params<Values>): SQL {
  return sql`(select other.id from ${users} other where other.store = ${p.store}
    and other.email_key = ${p.email_key} and other.id <> ${idIn(p.store, p.number)})`
}

/** What a plain field is after the change. */
function valueOf(p: Params<Values>, field: PlainField): SQL {
  return sql`iif(${p[`sets_${field}`]}, ${p[field]}, ${users[field]})`
}

/** RFC 7396, which keeps each number as it was written. */
function customFields(p: Params<Values>): SQL {
  return sql`iif(${p.clears_custom_fields}, null,
    nullif(json_patch(coalesce(${users.custom_fields}, '{}'), ${p.custom_fields}), '{}'))`
}

/** A password that is sent always changes. */
function compared(p: Params<Values>): Compared[] {
  return [
    ...PLAIN_FIELDS.map((field) => ({ field, from: sql`${users[field]}`, to: valueOf(p, field) })),
    { field: 'custom_fields', from: sql`${users.custom_fields}`, to: customFields(p) },
    { field: 'password', from: sql`0`, to: sql`${p.sets_password}` },
  ]
}

const tellUpdate = statement((p: Params<Values>, orm) =>
  tellMore(orm, p, decideUpdate(p), {
    existing: sql<number | null>`${userWithEmail(p)}`.as('existing'),
    unknown_fields: sql<string>`(select json_group_array(value) from ${unknownCustomFields(p)})`.as('unknown_fields'),
  }),
)

const insertUpdated = statement((p: Params<Values>, orm) =>
  insertEvent(orm, p, {
    type: 'user.updated',
    decision: decideUpdate(p),
    record: users,
    data: shownChanges('fields', compared(p)),
    where: isUser(p),
  }),
)

/** A column that is named costs the rows of its indexes, changed or not: `indexed` is named only where it was sent. */
const applyTo = (indexed: (p: Params<Values>) => Partial<Record<keyof User, SQL>>) =>
  statement((p: Params<Values>, orm) =>
    orm
      .update(users)
      .set({
        ...indexed(p),
        name: valueOf(p, 'name'),
        last_name: valueOf(p, 'last_name'),
        phone: valueOf(p, 'phone'),
        country: valueOf(p, 'country'),
        language: valueOf(p, 'language'),
        avatar: valueOf(p, 'avatar'),
        custom_fields: customFields(p),
        password_hash: sql`coalesce(${p.password_hash}, ${users.password_hash})`,
        updated_at: sql`${p.now}`,
        event_id: eventId,
      })
      .from(sql`${events} e`)
      .where(followsOwnEvent(p, users)),
  )

const email = (p: Params<Values>) => ({ email: valueOf(p, 'email'), email_key: sql`${p.email_key}` })
const external_id = (p: Params<Values>) => ({ external_id: valueOf(p, 'external_id') })

const applyPlain = applyTo(() => ({}))
const applyEmail = applyTo(email)
const applyExternalId = applyTo(external_id)
const applyBoth = applyTo((p) => ({ ...email(p), ...external_id(p) }))

function applyUpdate(values: Values) {
  if (values.sets_email) return values.sets_external_id ? applyBoth(values) : applyEmail(values)
  return values.sets_external_id ? applyExternalId(values) : applyPlain(values)
}

function outcome(db: Db, told: (RowOf<typeof tellUpdate> & Nullable<User>)[]): User {
  const verdict = settleAndWake(db, told)
  const { existing = null, unknown_fields = '[]' } = told[0] ?? {}
  if (verdict === 'unknown_custom_fields') throw new Refusal({ code: verdict, keys: JSON.parse(unknown_fields) })
  if (verdict === 'email_taken') throw new Refusal({ code: verdict, existing: numberOf(existing ?? 0) })
  if (verdict !== null && verdict !== 'unchanged') throw refusal(verdict)
  return foundBeside<User>(told)
}
