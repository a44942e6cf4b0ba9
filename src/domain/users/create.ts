/**
 * Creating a user, from the question whether one may be created to the answer. The whole of it is one batch: D1 has one
 * writer, so nobody comes between its steps, and of two creates with one e-mail or one key the second finds the first.
 */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { insertFrom, type Params, type RowOf, statement } from '../../db/statement.ts'
import { numberOf } from '../../db/ids.ts'
import { custom_fields, stores, type User, users } from '../../db/schema.ts'
import { isObject } from '../../json.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import {
  type Claim,
  claimedFingerprint,
  claimedRecord,
  claimValues,
  type ClaimValues,
  claimVerdict,
  type Created,
  insertClaim,
} from '../idempotency/claims.ts'
import { decide, eventId, fromOwnEvent, insertEvent, ownEvent, settleAndWake, tellMore } from '../change/event.ts'
import { emailKeyOf } from './emails.ts'
import { foundBeside, Refusal, refusal } from '../errors.ts'
import { storeRowId } from '../change/authorize.ts'
import { noteLastUse } from '../change/last-use.ts'

export interface NewUser {
  name: string
  last_name: string
  email: string
  /** Undefined: the store's. */
  language?: string | undefined
  phone?: string | undefined
  country?: string | undefined
  external_id?: string | undefined
  avatar?: string | undefined
  /** An object, if anything. */
  custom_fields?: unknown
}

interface CreateUser {
  call: Call
  user: NewUser
  claim: Claim | undefined
  /** Custom fields that need not be defined in the store. */
  builtInFields: readonly string[]
  /** Makes the PHC string of the password, if one was sent. Called only once nothing else speaks against the user. */
  hashPassword: (() => Promise<string>) | undefined
}

type Asked = CallValues & ClaimValues & ReturnType<typeof userValues>

/**
 * Throws `idempotency_key_reused`, `unknown_custom_fields`, `email_taken`, and `not_found` where the user that the key
 * or a lost answer stands for has been erased since.
 */
export async function createUser(db: Db, input: CreateUser): Promise<Created<User>> {
  const asked = { ...callValues(input.call), ...claimValues(input.claim, input.call), ...userValues(input) }

  // scrypt holds up the instance for 0.15 s: D1 is asked first, and only what will be stored is hashed.
  if (input.hashPassword) {
    const { told } = await batch(
      db,
      { told: tellWithUser(asked), lastUse: noteLastUse(input.call) },
      { retry: 'done twice is done once' },
    )
    if (told[0]?.verdict !== null) return answerOrRefuse(db, told)
  }

  const values = { ...asked, password_hash: (await input.hashPassword?.()) ?? null }
  const { told } = await batch(
    db,
    {
      event: insertCreated(values),
      user: insertUser(values),
      claim: input.claim && insertClaim(values),
      // Behind the writes: the same step finds the user whom they have made.
      told: tellWithUser(values),
      lastUse: noteLastUse(input.call),
    },
    { retry: 'it finds its own event' },
  )
  return answerOrRefuse(db, told)
}

/** The user's columns, null for what was left out. */
function userValues({ user, builtInFields }: Pick<CreateUser, 'user' | 'builtInFields'>) {
  const custom = isObject(user.custom_fields) ? user.custom_fields : {}
  const keys = Object.keys(custom)
  return {
    email_key: emailKeyOf(user.email),
    email: user.email,
    name: user.name,
    last_name: user.last_name,
    language: user.language ?? null,
    phone: user.phone ?? null,
    country: user.country ?? null,
    external_id: user.external_id ?? null,
    avatar: user.avatar ?? null,
    custom_fields: keys.length > 0 ? JSON.stringify(custom) : null,
    custom_field_keys: JSON.stringify(keys.filter((key) => !builtInFields.includes(key))),
  }
}

type OwnVerdict = 'replayed' | 'unknown_custom_fields' | 'email_taken'

/** What speaks against the user, in the order of docs/errors.md. */
function decideCreate(p: Params<Asked>) {
  return decide<OwnVerdict>(
    p,
    claimVerdict(p),
    sql`iif(exists ${unknownCustomFields(p)}, 'unknown_custom_fields', null)`,
    sql`iif(exists ${userWithEmail(p)}, 'email_taken', null)`,
  )
}

/** The keys that are not custom fields of the store. */
export function unknownCustomFields(p: Params<Pick<Asked, 'store' | 'custom_field_keys'>>): SQL {
  return sql`(select k.value from json_each(${p.custom_field_keys}) k where not exists (
    select 1 from ${custom_fields} f where f.store = ${p.store} and f.key = k.value))`
}

function userWithEmail(p: Params<Asked>): SQL {
  return sql`(select id from ${users} where store = ${p.store} and email_key = ${p.email_key})`
}

/**
 * The decision, and the user that this request has made, else the one of the claimed key, else the one who has the
 * e-mail.
 */
const tellWithUser = statement((p: Params<Asked>, orm) =>
  tellMore(orm, p, decideCreate(p), {
    replayed_fingerprint: claimedFingerprint(p).as('replayed_fingerprint'),
    unknown_fields: sql<string>`(select json_group_array(value) from ${unknownCustomFields(p)})`.as('unknown_fields'),
    ...getTableColumns(users),
  }).leftJoin(users, sql`${users.id} = coalesce(${ownEvent(p)}, ${claimedRecord(p)}, ${userWithEmail(p)})`),
)

const insertCreated = statement((p: Params<Asked>, orm) =>
  insertEvent(orm, p, { type: 'user.created', decision: decideCreate(p) }),
)

const insertUser = statement((p: Params<Asked & { password_hash: string | null }>, orm) =>
  insertFrom(
    orm,
    users,
    {
      id: eventId,
      store: p.store,
      email_key: p.email_key,
      email: p.email,
      name: p.name,
      last_name: p.last_name,
      role: 'student',
      language: sql`coalesce(${p.language}, (select language from ${stores} where id = ${storeRowId(p)}))`,
      phone: p.phone,
      country: p.country,
      external_id: p.external_id,
      avatar: p.avatar,
      custom_fields: p.custom_fields,
      password_hash: p.password_hash,
      created_at: p.now,
      updated_at: p.now,
      event_id: eventId,
    },
    fromOwnEvent(p, users),
  ),
)

type Told = RowOf<typeof tellWithUser>

function answerOrRefuse(db: Db, rows: Told[]): Created<User> {
  const verdict = settleAndWake(db, rows)
  const [told] = rows
  if (verdict === 'unknown_custom_fields') {
    throw new Refusal({ code: verdict, keys: JSON.parse(told?.unknown_fields ?? '[]') })
  }
  if (verdict !== null && verdict !== 'replayed' && verdict !== 'email_taken') throw refusal(verdict)
  const row = foundBeside<User>(rows)
  if (verdict === 'email_taken') throw new Refusal({ code: verdict, existing: numberOf(row.id) })
  return { row, replayedFingerprint: verdict === 'replayed' ? (told?.replayed_fingerprint ?? null) : null }
}
