import { asc, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { insertFrom, type Params, statement } from '../../db/statement.ts'
import { idIn } from '../../db/ids.ts'
import { events, type Store, stores } from '../../db/schema.ts'
import { EXPIRY_NOTICE_DAYS, STORE_ID_CHARACTERS } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { changeOf, fieldValues, recordValues, sendChange } from '../change/changes.ts'
import { sendCreation } from '../change/creations.ts'
import { decideUnless, eventId, NO_DETAILS, tellDecision } from '../change/event.ts'
import { storeRowId } from '../change/authorize.ts'
import { type Page, type PageRequest, readPage } from '../pages.ts'
import { readOne } from '../change/read.ts'

interface NewStore {
  call: Call
  /** Undefined: one is made. */
  slug: string | undefined
  name: string
  language: string
}

type Values = CallValues & { slug: string; name: string; language: string }

/** Throws `store_exists`. */
export function createStore(db: Db, { call, slug = randomSlug(), name, language }: NewStore): Promise<Store> {
  const values = { ...callValues(call), slug, name, language }
  const steps = { event: insertCreated(values), record: insertStore(values), told: tellStore(values) }
  return sendCreation(db, steps, selectBySlug(values))
}

function randomSlug(): string {
  return `store-${crypto.randomUUID().slice(-STORE_ID_CHARACTERS)}`
}

/** A new store has no events to look among: sent again, the request knows its store by the slug and the first event. */
function decideStore(p: Params<Values>) {
  const isOwn = sql`exists (select 1 from ${stores} s join ${events} e on e.id = s.id
    where s.slug = ${p.slug} and e.request_id = ${p.request_id})`
  return decideUnless(isOwn, p, sql`iif(exists (select 1 from ${stores} where slug = ${p.slug}), 'store_exists', null)`)
}

const tellStore = statement((p: Params<Values>, orm) => tellDecision(orm, p, decideStore(p)))

const insertCreated = statement((p: Params<Values>, orm) => {
  const id = idIn(sql`(select coalesce(max(id) >> 32, 0) + 1 from ${stores})`, sql`1`)
  return insertFrom(
    orm,
    events,
    {
      id,
      type: 'store.created',
      created_at: p.now,
      request_id: p.request_id,
      actor_id: p.caller,
      subject_id: id,
      previous_id: null,
      ...NO_DETAILS,
    },
    sql`where ${decideStore(p)} is null`,
  )
})

/** The newest of all events is the first one of the store that is made here: no other store has a higher number. */
const insertStore = statement((p: Params<Values>, orm) =>
  insertFrom(
    orm,
    stores,
    {
      id: eventId,
      slug: p.slug,
      name: p.name,
      language: p.language,
      suspended_at: null,
      expiry_notice_days: EXPIRY_NOTICE_DAYS,
      created_at: p.now,
      event_id: eventId,
    },
    sql`from ${events} e where e.id = (select max(id) from ${events}) and e.request_id = ${p.request_id}
      and not exists (select 1 from ${stores} where slug = ${p.slug})`,
  ),
)

const selectBySlug = statement((p: Params<Values>, orm) =>
  orm
    .select()
    .from(stores)
    .where(sql`slug = ${p.slug}`),
)

const FIELDS = ['name', 'language', 'suspended_at', 'expiry_notice_days'] as const

const updateSteps = changeOf({
  table: stores,
  type: 'store.updated',
  fields: FIELDS,
  // One that is suspended has been so since then.
  computed: { suspended_at: (since) => sql`iif(${since} is null, null, coalesce(${stores.suspended_at}, ${since}))` },
  eventShows: 'changes',
})

const selectStore = statement((p: Params<CallValues>, orm) =>
  orm
    .select()
    .from(stores)
    .where(sql`id = ${storeRowId(p)}`),
)

/** Throws `not_found`. */
export function getStore(db: Db, call: Call): Promise<Store> {
  return readOne(db, call, selectStore(callValues(call)))
}

interface StoreUpdate {
  call: Call
  /** Its tokens are refused from now on, or taken again; undefined: as before. */
  suspended: boolean | undefined
  /** What is undefined keeps its value. */
  fields: { [Field in 'name' | 'language' | 'expiry_notice_days']?: string | number | undefined }
}

/** Throws `not_found`. */
export function updateStore(db: Db, { call, suspended, fields }: StoreUpdate): Promise<Store> {
  const suspended_at = suspended === undefined ? undefined : suspended ? call.now : null
  const values = { ...callValues(call), ...recordValues(1), ...fieldValues(FIELDS, { ...fields, suspended_at }) }
  return sendChange(db, { call, steps: updateSteps(values), found: selectStore(values) })
}

export function listStores(db: Db, call: Call, { limit, after = '' }: PageRequest<string>): Promise<Page<Store>> {
  return readPage(db, call, {
    limit,
    cursorOf: (row) => row.slug,
    select: (count) => selectStores({ after, count }),
  })
}

const selectStores = statement((p: Params<{ after: string; count: number }>, orm) =>
  orm
    .select()
    .from(stores)
    .where(sql`slug > ${p.after}`)
    .orderBy(asc(stores.slug))
    .limit(p.count),
)
