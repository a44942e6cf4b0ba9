/**
 * Creating many users at once, from the question what becomes of each to the answers. What speaks against one is its
 * own. The whole is one batch, and where passwords are sent a question before it: only what will be stored is hashed.
 */
import { batch, type Db } from '../../db/batch.ts'
import type { RowOf } from '../../db/statement.ts'
import { numberOf } from '../../db/ids.ts'
import { isObject } from '../../json.ts'
import { accessItem, accessSteps, type GivenAccess } from '../accesses/batch-accesses.ts'
import {
  batchValues,
  type ItemOutcome,
  type Made,
  type OnExisting,
  outcomeOfMade,
  settleBatch,
  tellBatch,
} from '../change/batch-events.ts'
import type { Call } from '../change/context.ts'
import type { NewUser } from './create.ts'
import { emailKeyOf } from './emails.ts'
import type { NamedProduct } from '../errors.ts'
import { noteLastUse } from '../change/last-use.ts'
import { type Plan, tellPlan, type UserItem } from './plan-batch.ts'
import { insertPlanned, insertUsers, selectMade, updateUsers } from './write-batch.ts'

interface BroughtAccess extends GivenAccess {
  /** The product's number, or its slug. */
  product_id?: number | undefined
  slug?: string | undefined
}

interface BatchUser {
  user: NewUser
  product_accesses: BroughtAccess[]
  hasPassword: boolean
}

interface CreateUsers {
  call: Call
  /** Undefined: refused before. */
  users: (BatchUser | undefined)[]
  onExisting: OnExisting
  isDryRun: boolean
  /** Makes the PHC string of the password of the user at this index; undefined where there is no quota for it. */
  hashPassword: (index: number) => Promise<string | undefined>
}

/** Answers what has become of each user, or in a dry run would become. */
export async function createUsers(db: Db, input: CreateUsers): Promise<(ItemOutcome | undefined)[]> {
  const asked = input.users.map((user) => user && userItem(user))
  const values = valuesOf(input, asked)
  if (input.isDryRun) {
    const { told, plan } = await batch(
      db,
      { told: tellBatch(values), plan: tellPlan(values), lastUse: noteLastUse(input.call) },
      { retry: 'done twice is done once' },
    )
    return outcomes({ input, db, told, plan, made: [] })
  }
  return write(db, input, input.users.some((user) => user?.hasPassword) ? await hashed(db, input, asked) : asked)
}

function userItem({ user, product_accesses }: BatchUser): UserItem {
  const { email, custom_fields } = user
  return {
    ...user,
    email_key: emailKeyOf(email),
    custom_fields: isObject(custom_fields) && Object.keys(custom_fields).length > 0 ? custom_fields : undefined,
    product_accesses: product_accesses.map(broughtItem),
  }
}

function broughtItem({ product_id, slug, ...given }: BroughtAccess) {
  return { product_id, slug, ...accessItem(given) }
}

function valuesOf({ call, onExisting }: CreateUsers, items: (UserItem | undefined)[]) {
  const most = items.reduce((sum, item) => sum + (item ? 1 + item.product_accesses.length : 0), 0)
  return batchValues(call, { items, onExisting, most })
}

/** The items with the hashes of the passwords that will be stored, unless something speaks against the user. */
async function hashed(db: Db, input: CreateUsers, items: (UserItem | undefined)[]): Promise<(UserItem | undefined)[]> {
  const values = valuesOf(input, items)
  const { told, plan } = await batch(
    db,
    { told: tellBatch(values), plan: tellPlan(values) },
    { retry: 'it only reads' },
  )
  settleBatch(db, told)
  const hashes = new Map<number, string | undefined>()
  for (const { at, verdict, existing } of plan) {
    const isStored = verdict === null && (existing === null || input.onExisting === 'update')
    if (input.users[at]?.hasPassword) hashes.set(at, isStored ? await input.hashPassword(at) : undefined)
  }
  return items.map((item, at) => {
    if (!item || !hashes.has(at)) return item
    const password_hash = hashes.get(at)
    return { ...item, password_hash, lacks_hash: password_hash === undefined ? 1 : undefined }
  })
}

async function write(db: Db, input: CreateUsers, items: (UserItem | undefined)[]) {
  const values = valuesOf(input, items)
  const { told, plan, made } = await batch(
    db,
    {
      plan: tellPlan(values),
      events: insertPlanned(values),
      users: insertUsers(values),
      userUpdates: updateUsers(values),
      ...accessSteps(values),
      made: selectMade(values),
      told: tellBatch(values),
      lastUse: noteLastUse(input.call),
    },
    { retry: 'it finds its own event' },
  )
  return outcomes({ input, db, told, plan, made })
}

interface Answers {
  input: CreateUsers
  db: Db
  told: RowOf<typeof tellBatch>[]
  plan: Plan[]
  made: Made[]
}

function outcomes({ input, db, told, plan, made }: Answers): (ItemOutcome | undefined)[] {
  settleBatch(db, told)
  const madeAt = new Map(made.map((row) => [row.at, row]))
  const answers: (ItemOutcome | undefined)[] = input.users.map(() => undefined)
  for (const planned of plan) {
    const own = madeAt.get(planned.at)
    if (own) answers[planned.at] = outcomeOfMade(own)
    else answers[planned.at] = planned.verdict === null ? kept(planned, input) : refused(planned, input, answers)
  }
  return answers
}

function kept({ existing }: Plan, { isDryRun }: CreateUsers): ItemOutcome {
  if (existing !== null) return { status: 'there', number: numberOf(existing) }
  if (isDryRun) return { status: 'created' }
  // Sent again after a lost answer: what was refused then is not made now, although nothing speaks against it any more.
  return { status: 'refused', fact: { code: 'email_taken', existing: undefined } }
}

/** `answers` are those of the items before: where one of them has the e-mail, its user is the one that exists. */
function refused(planned: Plan, { users }: CreateUsers, answers: (ItemOutcome | undefined)[]): ItemOutcome {
  const { at, verdict, existing, first } = planned
  const brought = users[at]?.product_accesses ?? []
  const named = (list: string | null): NamedProduct[] =>
    JSON.parse(list ?? '[]').map((index: number) => ({
      index,
      by: brought[index]?.slug === undefined ? 'product_id' : 'slug',
    }))
  switch (verdict) {
    case 'unknown_values': {
      const keys: string[] = JSON.parse(planned.unknown_fields)
      return { status: 'refused', fact: { code: verdict, keys, accesses: named(planned.unknown_products) } }
    }
    case 'access_exists':
      return { status: 'refused', fact: { code: 'product_repeated', accesses: named(planned.repeated_products) } }
    case 'no_quota':
      return { status: 'refused', fact: { code: verdict } }
    default: {
      const number = existing === null ? answers[first ?? at]?.number : numberOf(existing)
      return { status: 'refused', number, fact: { code: 'email_taken', existing: number } }
    }
  }
}
