/** Granting many accesses at once: one batch, in which each item is decided by itself (see create-users-batch.ts). */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { type Params, type RowOf, statement } from '../../db/statement.ts'
import { idIn, numberOf } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { product_accesses, products, users } from '../../db/schema.ts'
import { accessItem, accessSteps, changedValues, type GivenAccess, isAccessChanged } from './batch-accesses.ts'
import {
  type BatchValues,
  batchValues,
  insertEvents,
  type ItemOutcome,
  type Made,
  type OnExisting,
  outcomeOfMade,
  selectMadeOf,
  settleBatch,
  tellBatch,
} from '../change/batch-events.ts'
import type { Call } from '../change/context.ts'
import { unknownRecords } from './grant.ts'
import { noteLastUse } from '../change/last-use.ts'

interface BatchGrant extends GivenAccess {
  /** The numbers of the user and of the product. */
  user_id: number
  product_id: number
}

interface GrantAccesses {
  call: Call
  /** Undefined: refused before. */
  grants: (BatchGrant | undefined)[]
  onExisting: OnExisting
  isDryRun: boolean
}

/** Answers what has become of each grant, or in a dry run would become. */
export async function grantAccesses(db: Db, input: GrantAccesses): Promise<(ItemOutcome | undefined)[]> {
  const { call, grants, onExisting, isDryRun } = input
  const items = grants.map((grant) => grant && grantItem(grant))
  const values = batchValues(call, { items, onExisting, most: items.length })
  const { told, plan, made } = await batch(
    db,
    {
      plan: tellPlan(values),
      ...(isDryRun ? {} : { events: insertPlanned(values), ...accessSteps(values) }),
      made: isDryRun ? undefined : selectMade(values),
      told: tellBatch(values),
      lastUse: noteLastUse(call),
    },
    { retry: isDryRun ? 'done twice is done once' : 'it finds its own event' },
  )
  settleBatch(db, told)
  return outcomes(input, plan, made)
}

function grantItem({ user_id, product_id, ...given }: BatchGrant) {
  return { user_id, product_id, ...accessItem(given) }
}

type P = Params<BatchValues>

/** Each item, with the user and the product where they are there, and the access. */
function items(p: P): SQL {
  const named = (field: string) => idIn(p.store, sql`(i.value ->> ${literal(field)})`)
  return sql`(select n.*, t.id as existing from (select i.key as at, i.value as given,
      (select id from ${users} where id = ${named('user_id')}) as user_id,
      (select id from ${products} where id = ${named('product_id')}) as product_id
      from json_each(${p.items}) i where i.type = 'object'
    ) n left join ${product_accesses} t on t.user_id = n.user_id and t.product_id = n.product_id)`
}

/** `planned`: each item with its verdict. Of several for one user and product the first one counts. */
function plan(p: P): SQL {
  return sql`judged as (select i.*, case when user_id is null or product_id is null then 'unknown_records'
        when existing is not null and ${p.on_existing} = 'fail' then 'access_exists' end as refusal from ${items(p)} i),
    planned as materialized (select *, coalesce(refusal, iif(at > first, 'access_exists', null)) as verdict
      from (select *, min(at) filter (where refusal is null) over (partition by user_id, product_id) as first from judged))`
}

type ItemVerdict = 'unknown_records' | 'access_exists'

const tellPlan = statement((p: P, orm) =>
  orm
    .select({
      at: sql<number>`at`,
      verdict: sql<ItemVerdict | null>`verdict`,
      existing: sql<number | null>`existing`,
      first: sql<number | null>`first`,
      user_id: sql<number | null>`user_id`,
      product_id: sql<number | null>`product_id`,
    })
    .from(sql`(with ${plan(p)} select * from planned)`)
    .orderBy(sql`at`),
)

const insertPlanned = statement((p: P, orm) =>
  insertEvents(
    orm,
    p,
    sql`with ${plan(p)} select i.at, 0 as nth, i.at as place,
        iif(i.existing is null, 'product_access.granted', 'product_access.updated') as type,
        i.existing as subject_id, ${product_accesses.event_id} as previous_id, i.user_id, i.product_id,
        iif(i.existing is null, null, ${changedValues}) as data
      from planned i left join ${product_accesses} on ${product_accesses.id} = i.existing
      where i.verdict is null and (i.existing is null or (${p.on_existing} = 'update' and ${isAccessChanged}))`,
  ),
)

const selectMade = selectMadeOf(product_accesses, {
  created: 'product_access.granted',
  updated: 'product_access.updated',
})

function outcomes(
  { grants, isDryRun }: GrantAccesses,
  plan: RowOf<typeof tellPlan>[],
  made: Made[],
): (ItemOutcome | undefined)[] {
  const madeAt = new Map(made.map((row) => [row.at, row]))
  const answers: (ItemOutcome | undefined)[] = grants.map(() => undefined)
  for (const { at, verdict, existing, first, user_id, product_id } of plan) {
    const own = madeAt.get(at)
    const number = existing === null ? answers[first ?? at]?.number : numberOf(existing)
    if (own) answers[at] = outcomeOfMade(own)
    else if (verdict === 'unknown_records') {
      const fact = unknownRecords({ lacksUser: user_id === null, lacksProduct: product_id === null })
      answers[at] = { status: 'refused', fact }
    } else if (verdict === null && existing !== null) answers[at] = { status: 'there', number }
    else if (verdict === null && isDryRun) answers[at] = { status: 'created' }
    else answers[at] = { status: 'refused', number, fact: { code: 'access_exists', existing: number } }
  }
  return answers
}
