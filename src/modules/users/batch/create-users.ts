/**
 * Creates many users, or updates those that exist (src/change/many-records.ts). It is one batch of statements. If
 * there are passwords, a preview finds out first which of them will be stored, because hashing is expensive.
 */
import type { Db } from '../../../db/batch.ts'
import { numberOf } from '../../../db/ids.ts'
import { isObject } from '../../../lib/json.ts'
import { accessItem, accessSteps, type GivenAccess } from '../../accesses/access-items.ts'
import {
  batchValues,
  type ItemOutcome,
  type ItemRecord,
  type OnExisting,
  outcomeOfRecord,
  selectBatchResult,
} from '../../../change/many-records.ts'
import { commit, preview } from '../../../change/commit.ts'
import type { RequestContext } from '../../../change/request.ts'
import { DomainError, type NamedProduct } from '../../../change/errors.ts'
import type { NewUser } from '../create-user.ts'
import { emailKeyOf } from '../../../lib/emails.ts'
import { foldedValues } from '../user-writes.ts'
import { type PlannedUser, selectPlan, type UserItem } from './plan-items.ts'
import { insertPlannedEvents, insertUsers, selectUserRecords, updateUsers } from './write-items.ts'

interface NestedAccess extends GivenAccess {
  /** The product's number, or else its slug. */
  product_id?: number | undefined
  slug?: string | undefined
}

interface BatchUser {
  user: NewUser
  product_accesses: NestedAccess[]
  hasPassword: boolean
}

interface CreateUsersInput {
  users: (BatchUser | undefined)[]
  onExisting: OnExisting
  /** Of the nested accesses, those that end later than given keep their date. */
  neverShorten: boolean
  isDryRun: boolean
  /** Hashes the password of the user at this index. Returns undefined if the quota of passwords is used up. */
  hashPassword: (index: number) => Promise<string | undefined>
}

type Items = (UserItem | undefined)[]

/** Returns the outcome of each user, which a dry run only predicts; undefined for a user who is invalid. */
export async function createUsers(
  db: Db,
  context: RequestContext,
  input: CreateUsersInput,
): Promise<(ItemOutcome | undefined)[]> {
  const items = input.users.map((user) => user && userItem(user))
  if (input.isDryRun) return outcomesOf(input, await previewPlan(db, context, input, items), [])
  const hasPasswords = input.users.some((user) => user?.hasPassword)
  const hashed = hasPasswords ? await hashPasswords(input, items, await previewPlan(db, context, input, items)) : items
  const values = valuesOf(input, hashed)
  const { rows } = await commit(db, context, {
    // First, because the writes would change it.
    plan: selectPlan(values),
    events: insertPlannedEvents(values),
    users: insertUsers(values),
    userUpdates: updateUsers(values),
    ...accessSteps(values),
    records: selectUserRecords(values),
    result: selectBatchResult(values),
  })
  return outcomesOf(input, rows.plan, rows.records)
}

function userItem({ user, product_accesses }: BatchUser): UserItem {
  const { email, custom_fields } = user
  const email_key = emailKeyOf(email)
  return {
    ...user,
    ...foldedValues({ ...user, email_key }),
    email_key,
    custom_fields: isObject(custom_fields) && Object.keys(custom_fields).length > 0 ? custom_fields : undefined,
    product_accesses: product_accesses.map(({ product_id, slug, ...given }) => ({
      product_id,
      slug,
      ...accessItem(given),
    })),
  }
}

function valuesOf({ onExisting, neverShorten }: CreateUsersInput, items: Items) {
  const maxEvents = items.reduce((sum, item) => sum + (item ? 1 + item.product_accesses.length : 0), 0)
  return batchValues({ items, onExisting, neverShorten, maxEvents })
}

async function previewPlan(db: Db, context: RequestContext, input: CreateUsersInput, items: Items) {
  const values = valuesOf(input, items)
  const { rows } = await preview(db, context, { plan: selectPlan(values), result: selectBatchResult(values) })
  return rows.plan
}

/** The items with the hashes of the passwords that will be stored unless an item is rejected in between. */
async function hashPasswords({ users, onExisting, hashPassword }: CreateUsersInput, items: Items, plan: PlannedUser[]) {
  const hashes = new Map<number, string | undefined>()
  for (const { position, error, existing_id } of plan) {
    const isStored = error === null && (existing_id === null || onExisting === 'update')
    if (users[position]?.hasPassword) hashes.set(position, isStored ? await hashPassword(position) : undefined)
  }
  return items.map((item, index): UserItem | undefined => {
    if (!item || !hashes.has(index)) return item
    const password_hash = hashes.get(index)
    return { ...item, password_hash, lacks_hash: password_hash === undefined ? 1 : undefined }
  })
}

function outcomesOf(input: CreateUsersInput, plan: PlannedUser[], records: ItemRecord[]) {
  const recordAt = new Map(records.map((record) => [record.position, record]))
  const outcomes: (ItemOutcome | undefined)[] = input.users.map(() => undefined)
  for (const planned of plan) {
    const { position, error } = planned
    const record = recordAt.get(position)
    if (record) outcomes[position] = outcomeOfRecord(record)
    else outcomes[position] = error === null ? withoutChange(planned, input) : rejection(planned, input, outcomes)
  }
  return outcomes
}

function withoutChange({ existing_id }: PlannedUser, { isDryRun }: CreateUsersInput): ItemOutcome {
  if (existing_id !== null) return { status: 'existing', number: numberOf(existing_id) }
  if (isDryRun) return { status: 'created' }
  // An earlier attempt, whose response was lost, has rejected this item. The item stays rejected, although nothing is
  // wrong with it any more.
  return { status: 'rejected', error: new DomainError('email_taken', { existing: undefined }) }
}

/** `outcomes` has the outcomes of the previous items: if one of them has the email, its user is the existing one. */
function rejection(
  planned: PlannedUser,
  { users }: CreateUsersInput,
  outcomes: (ItemOutcome | undefined)[],
): ItemOutcome {
  const { position, error, existing_id, first_position } = planned
  const accesses = users[position]?.product_accesses ?? []
  switch (error) {
    case 'unknown_values': {
      const keys: string[] = JSON.parse(planned.unknown_fields)
      const unknown = namedProducts(accesses, planned.unknown_products)
      return { status: 'rejected', error: new DomainError(error, { keys, accesses: unknown }) }
    }
    case 'product_repeated': {
      const repeated = namedProducts(accesses, planned.repeated_products)
      return { status: 'rejected', error: new DomainError(error, { accesses: repeated }) }
    }
    case 'custom_fields_too_large':
    case 'password_quota_exceeded':
      return { status: 'rejected', error: new DomainError(error, {}) }
    default: {
      const number = existing_id === null ? outcomes[first_position ?? position]?.number : numberOf(existing_id)
      return { status: 'rejected', number, error: new DomainError('email_taken', { existing: number }) }
    }
  }
}

/** The accesses at the indexes in a JSON list. */
function namedProducts(accesses: NestedAccess[], indexes: string | null): NamedProduct[] {
  return JSON.parse(indexes ?? '[]').map((index: number) => ({
    index,
    by: accesses[index]?.slug === undefined ? 'product_id' : 'slug',
  }))
}
