/** Grants many accesses (src/change/many-records.ts). */
import { and, asc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, numberOf } from '../../db/ids.ts'
import { product_accesses, products } from '../../db/schema/accesses.ts'
import { users } from '../../db/schema/stores.ts'
import { named, orm, type RowOf, statement } from '../../db/statement.ts'
import { lazy } from '../../lib/lazy.ts'
import {
  batchParams,
  batchValues,
  insertBatchEvents,
  itemChange,
  itemList,
  type ItemOutcome,
  type ItemRecord,
  listed,
  type OnExisting,
  outcomeOfRecord,
  selectBatchResult,
  selectRecordsOf,
} from '../../change/many-records.ts'
import { commit, preview } from '../../change/commit.ts'
import { contextParams, type RequestContext } from '../../change/request.ts'
import { changesJson, isChanged } from '../../change/record-fields.ts'
import { DomainError, type NamedBy } from '../../change/errors.ts'
import { accessDifferences, accessItem, accessSteps, type GivenAccess } from './access-items.ts'

interface Grant extends GivenAccess {
  user_id: number
  /** The product's number, or else its slug. */
  product_id?: number | undefined
  slug?: string | undefined
}

interface GrantAccessesInput {
  /** A grant that is invalid is undefined. */
  grants: (Grant | undefined)[]
  onExisting: OnExisting
  neverShorten: boolean
  isDryRun: boolean
}

/** Returns the outcome of each grant, which a dry run only predicts; undefined for a grant that is invalid. */
export async function grantAccesses(
  db: Db,
  context: RequestContext,
  input: GrantAccessesInput,
): Promise<(ItemOutcome | undefined)[]> {
  const { grants, onExisting, neverShorten, isDryRun } = input
  const items = grants.map((grant) => grant && grantItem(grant))
  const values = batchValues({ items, onExisting, neverShorten, maxEvents: items.length })
  const decision = { plan: selectPlan(values), result: selectBatchResult(values) }
  if (isDryRun) {
    const { rows } = await preview(db, context, decision)
    return outcomesOf(input, rows.plan, [])
  }
  const { rows } = await commit(db, context, {
    // First, because the events and the accesses would change it.
    plan: decision.plan,
    events: insertPlannedEvents(values),
    ...accessSteps(values),
    records: selectRecords(values),
    result: decision.result,
  })
  return outcomesOf(input, rows.plan, rows.records)
}

function grantItem({ user_id, product_id, slug, ...given }: Grant) {
  return { user_id, product_id, slug, ...accessItem(given) }
}

/** Each item with its user and its product, null if the store has none, and with the access that exists already. */
const item = lazy(() => {
  const recordId = (field: string) => idIn(contextParams.store, sql`(${listed.json} ->> ${field})`)
  const isProduct = or(
    eq(products.id, recordId('product_id')),
    and(eq(products.store, contextParams.store), eq(products.slug, sql`(${listed.json} ->> 'slug')`)),
  )
  const isAccess = and(eq(product_accesses.user_id, users.id), eq(product_accesses.product_id, products.id))
  return orm.$with('item').as(
    orm
      .select(
        named({
          position: sql<number>`${listed.position}`,
          given: sql<string>`${listed.json}`,
          known_user_id: sql<number | null>`${users.id}`,
          known_product_id: sql<number | null>`${products.id}`,
          existing_id: sql<number | null>`${product_accesses.id}`,
        }),
      )
      .from(itemList)
      .leftJoin(users, eq(users.id, recordId('user_id')))
      .leftJoin(products, isProduct)
      .leftJoin(product_accesses, isAccess)
      .where(listed.isValid),
  )
})

const plan = lazy(() => {
  const { position, given, known_user_id, known_product_id, existing_id } = item()
  const ownError = sql`case
    when ${or(isNull(known_user_id), isNull(known_product_id))} then 'unknown_records'
    when ${and(isNotNull(existing_id), eq(batchParams.on_existing, 'fail'))} then 'access_exists' end`
  // Of several items for the same user and product, only the first one without an error of its own counts.
  const first = sql<number | null>`min(${position}) filter (where ${isNull(ownError)})
    over (partition by ${known_user_id}, ${known_product_id})`
  const isRepeated = gt(position, first)
  const error = sql<ItemError | null>`coalesce(${ownError}, iif(${isRepeated}, 'access_exists', null))`
  return orm.$with('plan').as(
    orm
      .select(
        named({
          position,
          given,
          known_user_id,
          known_product_id,
          existing_id,
          first_position: first,
          error,
        }),
      )
      .from(item()),
  )
})

type ItemError = 'unknown_records' | 'access_exists'

const selectPlan = statement(batchParams, () => {
  const { position, error, existing_id, first_position, known_user_id, known_product_id } = plan()
  return orm
    .with(item(), plan())
    .select(
      named({
        position,
        error,
        existing_id,
        first_position,
        lacks_user: sql<0 | 1>`${isNull(known_user_id)}`,
        lacks_product: sql<0 | 1>`${isNull(known_product_id)}`,
      }),
    )
    .from(plan())
    .orderBy(asc(position))
})

const insertPlannedEvents = statement(batchParams, () => {
  const { position, given, error, existing_id, known_user_id, known_product_id } = plan()
  const isNew = isNull(existing_id)
  const differences = accessDifferences(given)
  const isUpdated = and(eq(batchParams.on_existing, 'update'), isChanged(differences))
  const changes = orm
    .with(item(), plan())
    .select(
      itemChange({
        position,
        nested: null,
        type: sql`iif(${isNew}, 'product_access.granted', 'product_access.updated')`,
        subject_id: existing_id,
        previous_id: product_accesses.event_id,
        user_id: known_user_id,
        product_id: known_product_id,
        data: sql`iif(${isNew}, null, ${changesJson(differences)})`,
      }),
    )
    .from(plan())
    .leftJoin(product_accesses, eq(product_accesses.id, existing_id))
    .where(and(isNull(error), or(isNew, isUpdated)))
  return insertBatchEvents(changes)
})

const selectRecords = selectRecordsOf(product_accesses, {
  created: 'product_access.granted',
  updated: 'product_access.updated',
})

type Planned = RowOf<typeof selectPlan>

function outcomesOf({ grants, isDryRun }: GrantAccessesInput, planned: Planned[], records: ItemRecord[]) {
  const recordAt = new Map(records.map((record) => [record.position, record]))
  const outcomes: (ItemOutcome | undefined)[] = grants.map(() => undefined)
  for (const each of planned) {
    const { position, error, existing_id, first_position } = each
    const record = recordAt.get(position)
    const named_by = grants[position]?.slug === undefined ? 'product_id' : 'slug'
    const number = existing_id === null ? outcomes[first_position ?? position]?.number : numberOf(existing_id)
    if (record) outcomes[position] = outcomeOfRecord(record)
    else if (error === 'unknown_records') outcomes[position] = rejectUnknown(each, named_by)
    else if (error === null && existing_id !== null) outcomes[position] = { status: 'existing', number }
    else if (error === null && isDryRun) outcomes[position] = { status: 'created' }
    else {
      const exists = new DomainError('access_exists', { existing: number, named_by })
      outcomes[position] = { status: 'rejected', number, error: exists }
    }
  }
  return outcomes
}

function rejectUnknown({ lacks_user, lacks_product }: Planned, named_by: NamedBy): ItemOutcome {
  return { status: 'rejected', error: new DomainError('unknown_records', { lacks_user, lacks_product, named_by }) }
}
