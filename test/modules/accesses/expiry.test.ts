/** A run covers every store, and other files share the database, so each test reads only its own stores. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { announceExpiries } from '../../../src/modules/accesses/expiry.ts'
import { EXPIRY } from '../../../src/modules/accesses/limits.ts'
import { admin, createV1, newAccess, newStore, newUser, updateAccess, v1User } from '../../support/api.ts'
import { INTEGRATOR } from '../../support/callers.ts'
import { planOf } from '../../support/costs.ts'
import { announceAll as run } from '../../support/cron.ts'
import { sharedDb } from '../../support/db.ts'
import { feedOf } from '../../support/events.ts'
import { faultyD1, loses, losesAnswer } from '../../support/faults.ts'
import {
  accessesOf,
  eraseUser,
  eventsOf,
  idIn,
  insertDatedAccesses,
  insertEvent,
  newProduct,
  numberOf,
  rowsOf,
  storeNumber,
  suspendStore,
  type TestStore,
} from '../../support/rows.ts'

const DAY = 86_400_000
/** This date is later than those of all other tests, so their accesses are announced before these runs. */
const DUE = Date.UTC(2040, 0, 1)

const at = (time: number) => new Date(time).toISOString()

/** Returns the expiry events of the store as text, by access id. */
async function toldOf(store: TestStore): Promise<string[]> {
  const events = await feedOf(store)
  return events
    .filter(({ type }) => type === 'product_access.expiring' || type === 'product_access.expired')
    .map(({ type, data }) => `${data.product_access_id} ${type.slice('product_access.'.length)}`)
}

async function newDated(store: TestStore, due: number | null = DUE, status = 'with_access'): Promise<string> {
  const { id } = await newAccess(store, {}, { status })
  await updateAccess(store, id, { access_due_date: due === null ? null : at(due) })
  return id
}

let store: TestStore

async function grant(body: object, product: object = {}): Promise<any> {
  const user_id = (await newUser(store)).id
  const ids = { user_id, product_id: (await newProduct(store, product)).id }
  return (await INTEGRATOR.send('POST', store, '/product_accesses', { body: { ...ids, ...body } })).json
}

/** Announces what other tests left, so that it does not use up the limit of a run. */
beforeAll(async () => {
  await run(DUE - 100 * DAY)
})

describe('An access with a due date', () => {
  beforeAll(async () => {
    store = await newStore()
  })

  it('has product_access.expiring once, 7 days before the due date', async () => {
    const own = await newStore()
    const id = await newDated(own)
    await run(DUE - 7 * DAY - 1)
    expect(await toldOf(own)).toEqual([])
    for (let i = 0; i < 3; i++) await run(DUE - 7 * DAY + i)
    expect(await toldOf(own)).toEqual([`${id} expiring`])
  })

  it('has product_access.expired once, one millisecond after the due date', async () => {
    const own = await newStore()
    const id = await newDated(own)
    await run(DUE)
    expect(await toldOf(own)).toEqual([`${id} expiring`])
    for (let i = 1; i < 4; i++) await run(DUE + i)
    expect(await toldOf(own)).toEqual([`${id} expiring`, `${id} expired`])
    expect((await updateAccess(own, id, {})).json.status).toBe('with_access')
  })

  it('has product_access.expired late, and no product_access.expiring, when the runs resume after its date', async () => {
    const own = await newStore()
    const ids = [await newDated(own), await newDated(own, DUE + 40 * DAY)]
    await run(DUE + 35 * DAY)
    expect((await toldOf(own)).toSorted()).toEqual([`${ids[0]} expired`, `${ids[1]} expiring`].toSorted())
    const [event] = await feedOf(own, { type: 'product_access.expired' })
    expect(event.timestamp).toBe(at(DUE + 35 * DAY))
  })

  it.each([0, 3, 90])('has product_access.expiring expiry_notice_days before the date: %i', async (days) => {
    const own = await newStore()
    await admin('PATCH', `/stores/${own.id}`, { expiry_notice_days: days })
    const id = await newDated(own)
    await run(DUE - days * DAY - 1)
    expect(await toldOf(own)).toEqual([])
    await run(DUE - days * DAY)
    expect(await toldOf(own)).toEqual(days === 0 ? [] : [`${id} expiring`])
    await run(DUE + 1)
    expect(await toldOf(own)).toEqual([...(days === 0 ? [] : [`${id} expiring`]), `${id} expired`])
  })

  it('has no product_access.expiring after it expired, even when the store raises expiry_notice_days', async () => {
    const own = await newStore()
    await admin('PATCH', `/stores/${own.id}`, { expiry_notice_days: 0 })
    const id = await newDated(own)
    await run(DUE + 1)
    await admin('PATCH', `/stores/${own.id}`, { expiry_notice_days: 90 })
    await run(DUE + 2)
    expect(await toldOf(own)).toEqual([`${id} expired`])
  })

  it('has product_access.expiring in the next run when the date is set less than 7 days ahead', async () => {
    const own = await newStore()
    const soon = Date.now() + 3 * DAY
    const id = await newDated(own, soon)
    await run(Date.now())
    expect(await toldOf(own)).toEqual([`${id} expiring`])
  })

  it.each<[string, () => Promise<string>]>([
    ['an update sets', () => newDated(store, Date.UTC(2020, 0, 1))],
    ['a grant sets', async () => (await grant({ access_due_date: '2020-01-01T00:00:00Z' })).id],
  ])('in the past that %s has only product_access.expired, once', async (_, make) => {
    const id = await make()
    await run(Date.now())
    await run(Date.now() + 1)
    expect((await toldOf(store)).filter((line) => line.startsWith(`${id} `))).toEqual([`${id} expired`])
  })

  it('has both events when the date comes from the product', async () => {
    const { id, access_due_date } = await grant({}, { expiration_days: 20 })
    const due = Date.parse(access_due_date)
    const ofIt = async () => (await toldOf(store)).filter((line) => line.startsWith(`${id} `))
    await run(due - 7 * DAY - 1)
    expect(await ofIt()).toEqual([])
    await run(due - 7 * DAY)
    await run(due + 1)
    expect(await ofIt()).toEqual([`${id} expiring`, `${id} expired`])
  })

  it('has both events again for a new date, but not for the same date', async () => {
    const own = await newStore()
    const id = await newDated(own)
    await run(DUE - DAY)
    await updateAccess(own, id, { access_due_date: at(DUE) })
    await run(DUE - DAY + 1)
    expect(await toldOf(own)).toEqual([`${id} expiring`])
    await run(DUE + 1)
    await updateAccess(own, id, { access_due_date: at(DUE + 30 * DAY) })
    await run(DUE + 2)
    expect(await toldOf(own)).toEqual([`${id} expiring`, `${id} expired`])
    await run(DUE + 29 * DAY)
    await run(DUE + 31 * DAY)
    expect(await toldOf(own)).toEqual([`${id} expiring`, `${id} expired`, `${id} expiring`, `${id} expired`])
  })

  it('has events only for the new date when it was moved before it expired', async () => {
    const own = await newStore()
    const id = await newDated(own)
    await updateAccess(own, id, { access_due_date: at(DUE + 100 * DAY) })
    await run(DUE + DAY)
    expect(await toldOf(own)).toEqual([])
    await updateAccess(own, id, { access_due_date: null })
    await run(DUE + 200 * DAY)
    expect(await toldOf(own)).toEqual([])
  })

  it('has no events without access, and product_access.expired once when access is given back after the date', async () => {
    const own = await newStore()
    const past = Date.UTC(2020, 0, 1)
    const id = await newDated(own, past, 'without_access')
    await run(Date.now())
    expect(await toldOf(own)).toEqual([])
    await updateAccess(own, id, { status: 'with_access' })
    await run(Date.now())
    await run(Date.now() + 1)
    expect(await toldOf(own)).toEqual([`${id} expired`])
    await updateAccess(own, id, { status: 'without_access' })
    await run(Date.now() + 2)
    await updateAccess(own, id, { status: 'with_access' })
    await run(Date.now() + 3)
    expect(await toldOf(own)).toEqual([`${id} expired`, `${id} expired`])
  })

  it('has no product_access.expiring when the date passed while it was without access', async () => {
    const own = await newStore()
    const id = await newDated(own)
    await updateAccess(own, id, { status: 'without_access' })
    // The due date is moved into the past, as if it had come meanwhile.
    await rowsOf(
      'update product_accesses set access_due_date = ? where id = ?',
      Date.UTC(2020, 0, 1),
      await idIn(own, id),
    )
    await updateAccess(own, id, { status: 'with_access' })
    await run(Date.now())
    expect(await toldOf(own)).toEqual([`${id} expired`])
  })

  it('has each event once when access is removed and given back before the date', async () => {
    const own = await newStore()
    const due = Date.now() + 2 * DAY
    const id = await newDated(own, due)
    await run(Date.now())
    for (const status of ['without_access', 'with_access']) await updateAccess(own, id, { status })
    await run(Date.now() + 1)
    await run(due + 1)
    expect(await toldOf(own)).toEqual([`${id} expiring`, `${id} expired`])
  })

  it('keeps its ETag, and its history contains the events', async () => {
    const own = await newStore()
    const id = await newDated(own)
    const before = await INTEGRATOR.send('GET', own, `/product_accesses/${id}`)
    await run(DUE)
    await run(DUE + 1)
    const after = await INTEGRATOR.send('GET', own, `/product_accesses/${id}`)
    expect(after.text).toBe(before.text)
    expect(after.headers.get('ETag')).toBe(before.headers.get('ETag'))
    const headers = { 'If-Match': before.headers.get('ETag') ?? '' }
    expect((await updateAccess(own, id, { status: 'without_access' }, { headers })).status).toBe(201)
    const history = (await INTEGRATOR.send('GET', own, `/product_accesses/${id}/events`)).json.data
    expect(history.map(({ type }: any) => type.slice('product_access.'.length))).toEqual([
      'updated',
      'expired',
      'expiring',
      'updated',
      'granted',
    ])
  })

  it('has no events when its user was erased', async () => {
    const own = await newStore()
    const { id, user } = await newAccess(own)
    await updateAccess(own, id, { access_due_date: at(DUE) })
    await eraseUser(own, user.id)
    await run(DUE + 1)
    expect(await toldOf(own)).toEqual([])
  })

  it('has both events in a suspended store', async () => {
    const own = await newStore()
    const id = await newDated(own)
    await suspendStore(own)
    await run(DUE)
    await run(DUE + 1)
    expect(await toldOf(own)).toEqual([`${id} expiring`, `${id} expired`])
  })
})

function seedDated(own: TestStore, count: number, due = DUE): Promise<void> {
  return insertDatedAccesses(own, count, due)
}

/** Announces the end of the accesses before their date, and their expiry after it. */
async function runBoth(d1 = env.DB) {
  const { expiring } = await run(DUE, d1)
  const { expired } = await run(DUE + 1, d1)
  return { expiring, expired }
}

/** Checks that each access has both events once and that the ids of the events have no gap. */
async function expectAllToldOnce(own: TestStore): Promise<void> {
  const accesses = await accessesOf(own)
  const told = (await eventsOf(own)).filter(({ type }) => /expir/.test(type))
  for (const type of ['product_access.expiring', 'product_access.expired']) {
    const subjects = told.filter((event) => event.type === type).map(({ subject_id }) => subject_id)
    expect(subjects.toSorted((a, b) => a - b)).toEqual(accesses.map(({ id }) => id))
  }
  expect(told.map(({ id }) => id)).toEqual(told.map((_, i) => told[0].id + i))
  const newest = new Map(told.map((event) => [event.subject_id, event.id]))
  for (const { id, event_id, changed_by } of accesses) {
    expect(event_id).toBe(newest.get(id))
    expect(changed_by).toBe(id)
  }
  const keys = told.map(({ type, request_id }) => `${type} ${request_id}`)
  expect(new Set(keys).size).toBe(keys.length)
}

describe('A run', () => {
  it('covers several stores at once and uses the next event id of each store', async () => {
    const stores = [await newStore(), await newStore(), await newStore()]
    for (const [i, own] of stores.entries()) await seedDated(own, 3 + i)
    const { DB, roundTrips } = faultyD1(env.DB)
    expect(await runBoth(DB)).toEqual({ expiring: 12, expired: 12 })
    // Each run looks for stores with either event, finds some for one of them, announces it, and finds no more.
    expect(roundTrips()).toBe(2 * 4)
    for (const own of stores) await expectAllToldOnce(own)
  })

  it('uses several batches for more accesses than one batch can hold', async () => {
    const stores = [await newStore(), await newStore()]
    for (const own of stores) await seedDated(own, EXPIRY.chunk - 5)
    const { DB, roundTrips } = faultyD1(env.DB)
    const count = 2 * (EXPIRY.chunk - 5)
    expect(await runBoth(DB)).toEqual({ expiring: count, expired: count })
    expect(roundTrips()).toBe(2 * 6)
    for (const own of stores) await expectAllToldOnce(own)
  })

  it('stops after the maximum of batches, and the next runs continue', async () => {
    const own = await newStore()
    const most = EXPIRY.chunk * EXPIRY.maxChunks
    await seedDated(own, most + 10)
    expect(await run(DUE)).toMatchObject({ expiring: most, expired: 0 })
    expect(await run(DUE)).toMatchObject({ expiring: 10, expired: 0 })
    expect(await run(DUE + 2)).toMatchObject({ expiring: 0, expired: most })
    expect(await run(DUE + 3)).toMatchObject({ expiring: 0, expired: 10 })
    expect(await run(DUE + 4)).toMatchObject({ expiring: 0, expired: 0 })
    await expectAllToldOnce(own)
  })

  it('announces the expiry of an access, however many accesses of its own store and of another one wait for either event', async () => {
    const [ending, ended, other] = [await newStore(), await newStore(), await newStore()]
    const most = EXPIRY.chunk * EXPIRY.maxChunks
    await seedDated(ending, most, DUE + DAY)
    await seedDated(ended, most, DUE - DAY)
    const expiredId = await newDated(ending, DUE - 1)
    const expiringId = await newDated(ended, DUE + 2 * DAY)
    const ids = [await newDated(other, DUE - 1), await newDated(other, DUE + 2 * DAY)]
    await run(DUE)
    expect((await toldOf(other)).toSorted()).toEqual([`${ids[0]} expired`, `${ids[1]} expiring`].toSorted())
    const typesOf = async (own: TestStore, id: string) =>
      rowsOf("select type from events where subject_id = ? and type like '%.expir%'", await idIn(own, id))
    expect(await typesOf(ending, expiredId)).toEqual([{ type: 'product_access.expired' }])
    expect(await typesOf(ended, expiringId)).toEqual([{ type: 'product_access.expiring' }])
    while ((await run(DUE)).expired > 0);
  })

  it('begins where the previous run stopped, so that the last stores are not always the ones that wait', async () => {
    const stores = []
    for (let i = 0; i < EXPIRY.stores + 2; i++) stores.push(await newStore())
    for (const own of stores) await seedDated(own, 1)
    const last = stores.at(-1) ?? stores[0]
    const first = await storeNumber(stores[1] ?? { id: '', token: '' })
    const { DB } = faultyD1(env.DB, (n) => (n > 3 ? { when: 'before', message: 'killed' } : undefined))
    // The round trips look for expiries, find none before their date, and then announce 20 stores.
    const positions = { expired: 0, expiring: first }
    await announceExpiries(sharedDb(DB), { run_id: crypto.randomUUID(), now: DUE, positions }).catch(() => {})
    expect(await toldOf(last ?? { id: '', token: '' })).toHaveLength(1)
    expect(await toldOf(stores[0] ?? { id: '', token: '' })).toEqual([])
    await runBoth()
  })

  it('reads only the accesses that it announces and a few rows per store', async () => {
    await runBoth()
    const idle = faultyD1(env.DB)
    await run(DUE + 1, idle.DB)
    await seedDated(await newStore(), 1500, DUE + 1000 * DAY)
    await seedDated(await newStore(), 20, DUE)
    const { DB, rowsRead } = faultyD1(env.DB)
    expect(await run(DUE + 1, DB)).toMatchObject({ expired: 20 })
    expect(rowsRead() - 2 * idle.rowsRead()).toBeLessThan(20 * 60)
  })

  it('writes each event once when five runs overlap', async () => {
    const own = await newStore()
    await seedDated(own, EXPIRY.chunk + 5)
    await Promise.all(Array.from({ length: 5 }, () => run(DUE)))
    await Promise.all(Array.from({ length: 5 }, (_, i) => run(DUE + 1 + i)))
    await expectAllToldOnce(own)
  })

  it('gives each event its own id while others write', async () => {
    const own = await newStore()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push(await newDated(own))
    await Promise.all([
      ...ids.map((id) => INTEGRATOR.send('PATCH', own, `/product_accesses/${id}`, { body: { progress: 9 } })),
      ...[0, 1, 2].map((i) => run(DUE + i)),
      ...ids.map(() => createV1(own, v1User())),
    ])
    const numbers = (await eventsOf(own)).map(({ id }) => numberOf(id))
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
    const told = await toldOf(own)
    expect(told.filter((line) => line.endsWith('expired')).toSorted()).toEqual(
      ids.map((id) => `${id} expired`).toSorted(),
    )
    expect(new Set(told).size).toBe(told.length)
  })

  it('collects the enabled webhook endpoints of the stores with new events', async () => {
    const [told, other] = [await newStore(), await newStore()]
    const endpoints: number[] = []
    for (const [own, disabled] of [
      [told, null],
      [told, 1],
      [other, null],
    ] as const) {
      const id = await insertEvent(own, { type: 'webhook_endpoint.created' })
      await rowsOf(
        `insert into webhook_endpoints
            (id, url, secret, cursor, is_down, pending, resumed_by, disabled_at, created_at, event_id)
          values (?1, '', '', ?1, 0, 0, ?1, ?2, 0, ?1)`,
        id,
        disabled,
      )
      endpoints.push(id)
    }
    await seedDated(told, 2)
    const db = sharedDb()
    const announced = await announceExpiries(db, { run_id: crypto.randomUUID(), now: DUE + 1 })
    expect(announced.endpoints).toEqual(endpoints.slice(0, 1))
    await rowsOf('delete from webhook_endpoints where id in (?, ?, ?)', ...endpoints)
  })
})

describe('A run while D1 fails', () => {
  it.each([0, 1, 2])('writes each event once when the response of round trip %i is lost', async (trip) => {
    const own = await newStore()
    await seedDated(own, EXPIRY.chunk + 5)
    const faults = () => faultyD1(env.DB, (n) => (n === trip ? losesAnswer()(0) : undefined)).DB
    for (const now of [DUE, DUE + 1]) {
      await run(now, faults())
      await run(now)
    }
    await expectAllToldOnce(own)
  })

  it('is completed by the next run when it fails', async () => {
    const own = await newStore()
    await seedDated(own, EXPIRY.chunk + 5)
    await run(DUE)
    const { DB } = faultyD1(env.DB, (n) => (n >= 3 ? loses('before')(n) : undefined))
    await expect(run(DUE + 1, DB)).rejects.toThrow('d1_connection_lost')
    await run(DUE + 2)
    await expectAllToldOnce(own)
  })

  it('writes product_access.expired once when the date is moved before the retry, and both events for the new date', async () => {
    const own = await newStore()
    const id = await newDated(own)
    await run(DUE - DAY)
    const later = DUE + 100 * DAY
    const meanwhile = async () => {
      const now = await updateAccess(own, id, { access_due_date: at(later) })
      expect(now.status).toBe(201)
    }
    // Round trip 0 finds the store; round trip 1 writes product_access.expired.
    const { DB } = faultyD1(env.DB, (trip) => (trip === 1 ? losesAnswer(meanwhile)(0) : undefined))
    await run(DUE + 1, DB)
    expect(await toldOf(own)).toEqual([`${id} expiring`, `${id} expired`])
    await run(later)
    await run(later + 1)
    expect(await toldOf(own)).toEqual([`${id} expiring`, `${id} expired`, `${id} expiring`, `${id} expired`])
  })

  it('writes no second event when the user is erased before the retry', async () => {
    const own = await newStore()
    const { id, user } = await newAccess(own)
    await updateAccess(own, id, { access_due_date: at(DUE) })
    const { DB } = faultyD1(env.DB, (trip) => (trip === 1 ? losesAnswer(() => eraseUser(own, user.id))(0) : undefined))
    await run(DUE + 1, DB)
    expect(await toldOf(own)).toEqual([`${id} expired`])
  })
})

describe('The cost of a run', () => {
  const measureRun = async (now: number) => {
    const { DB, rowsRead, rowsWritten, roundTrips, statements } = faultyD1(env.DB)
    await run(now, DB)
    return { read: rowsRead(), written: rowsWritten(), trips: roundTrips(), statements: statements() }
  }

  it('is two round trips, no row written and a few rows read per store when no access is due, however many there are', async () => {
    const [{ count: stores }] = await rowsOf('select count(*) as count from stores')
    const before = await measureRun(DUE - 50 * DAY)
    expect(before).toMatchObject({ trips: 2, written: 0 })
    expect(before.read).toBeLessThan(8 * (stores + 10))
    const own = await newStore()
    await seedDated(own, 100)
    await seedDated(await newStore(), 100, DUE + 1000 * DAY)
    const after = await measureRun(DUE - 50 * DAY)
    expect(after.read - before.read).toBeLessThan(50)
    await run(DUE + 1)
  })

  it('is at most four rows written per access, and rows read in proportion', async () => {
    const measureTelling = async (count: number) => {
      await seedDated(await newStore(), count)
      const expiring = await measureRun(DUE - DAY)
      const expired = await measureRun(DUE + 1)
      const idle = await measureRun(DUE + 2)
      return { written: expiring.written + expired.written, read: expiring.read + expired.read - 2 * idle.read }
    }
    const few = await measureTelling(5)
    const many = await measureTelling(EXPIRY.chunk)
    // Each of the two events writes itself and the access. D1 does not bill the removed index entry.
    expect(few.written).toBe(4 * 5)
    expect(many.written).toBe(4 * EXPIRY.chunk)
    expect(many.read / EXPIRY.chunk).toBeLessThan(1.2 * (few.read / 5))
  })

  it('uses the two partial indexes and scans neither accesses nor events', async () => {
    const { statements } = await measureRun(DUE + 1)
    const plans = (await Promise.all(statements.map(planOf))).flat()
    expect(plans.filter((line) => /SCAN (a|product_accesses|e|events)\b/.test(line))).toEqual([])
    for (const index of ['product_accesses_to_notify', 'product_accesses_to_expire']) {
      expect(plans.some((line) => line.includes(index))).toBe(true)
    }
  })
})
