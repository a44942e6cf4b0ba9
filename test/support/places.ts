/** Stores with a database of their own, and the rows in it. */
import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { openDb } from '../../src/db/batch.ts'
import { localDatabase } from '../../src/db/object-database.ts'
import { nextRunOf } from '../../src/modules/store-database/next-run.ts'
import type { StoreDatabase } from '../../src/modules/store-database/object.ts'
import type { SentStatement } from './faults.ts'
import type { Answer } from './openapi.ts'
import { admin, ALL_SCOPES } from './api.ts'
import { sharedRowsOf, type TestStore } from './rows.ts'

/** True if stores have a database of their own unless a test says otherwise (`PLACE=own npx vitest run test/sweeps`). */
export const IS_OWN = env.DEFAULT_PLACE === 'own'

/** The faults of the round trips between the one in which an operator's store is looked up and the response. */
export function inStore<F>(
  fault: (trip: number) => F,
): (trip: number, database: string, statements: SentStatement[]) => F | undefined {
  let trips = 0
  return (trip, _, statements) => (isLookUp(statements) || trip === Infinity ? undefined : fault(trips++))
}

/** True for the round trip in which the shared database is asked where an operator's store lives. */
export function isLookUp(statements: SentStatement[]): boolean {
  return statements.some(({ sql }) => sql.includes(' left join directory on '))
}

export const newSlug = () => `s-${crypto.randomUUID()}`

export function createOwnStore(fields: object = {}, bindings: object = {}): Promise<Answer> {
  return admin('POST', '/stores', { id: newSlug(), name: 'Academy', language: 'ES', place: 'own', ...fields }, bindings)
}

/** Creates such a store with a token that has all scopes. */
export async function newOwnStore(fields: object = {}): Promise<TestStore> {
  const { json: store } = await createOwnStore(fields)
  const { json } = await admin('POST', `/stores/${store.id}/tokens`, { name: 'Test', scopes: ALL_SCOPES })
  return { id: store.id, token: json.token }
}

interface Named {
  id: string
}

/** The row of the directory. */
export async function entryOf({ id }: Named): Promise<any> {
  const [row] = await sharedRowsOf('select * from directory where slug = ?', id)
  return row
}

async function objectOf(store: Named) {
  return env.STORES.getByName(String((await entryOf(store)).number))
}

/** The rows of a store's own database. */
export async function rowsIn(store: Named, sql: string, ...params: unknown[]): Promise<any[]> {
  return rowsInObject((await entryOf(store)).number, sql, ...params)
}

/** The rows of the store with this number, which the directory may have forgotten. */
export function rowsInObject(number: number, sql: string, ...params: unknown[]): Promise<any[]> {
  const object = env.STORES.getByName(String(number))
  return runInDurableObject(object, (_, { storage }) => storage.sql.exec(sql, ...params).toArray())
}

/** When the alarm rings, in milliseconds since the epoch. */
export async function alarmOf(store: Named): Promise<number | null> {
  return runInDurableObject(await objectOf(store), (_, { storage }) => storage.getAlarm())
}

/** When the store would work next, if it had worked at this time. */
export async function nextRunAt(store: Named, time: number): Promise<number> {
  return runInDurableObject(await objectOf(store), (_, { storage }) => nextRunOf(openDb(localDatabase(storage)), time))
}

/** The alarm rings, and the store changes while it reports to the directory. */
export async function ringDuringChange(store: Named): Promise<void> {
  await runInDurableObject(await objectOf(store), async (object: StoreDatabase) => {
    const DB = {
      prepare: (text: string) => env.DB.prepare(text),
      async batch(statements: D1PreparedStatement[]) {
        await object.batch([{ text: 'update stores set name = ?1', values: ['Changed'] }])
        return env.DB.batch(statements)
      },
    }
    Object.assign(object, { env: { ...env, DB } })
    await object.alarm()
    Object.assign(object, { env })
  })
}

/** Has the alarm ring now. */
export async function ring(store: Named): Promise<void> {
  await runDurableObjectAlarm(await objectOf(store))
}

const withoutAlarm = new Set<string>()

/**
 * Runs at the end of each file: otherwise its alarms would ring during the tests of another one, which count lines of the log.
 * The every-minute job in those tests would set them again if they seemed late.
 */
export async function stopAlarms(): Promise<void> {
  const ids = (await listDurableObjectIds(env.STORES)).filter((id) => !withoutAlarm.has(id.toString()))
  if (ids.length > 0) await sharedRowsOf('update directory set alarm_at = null')
  for (const id of ids) {
    await deleteAlarm(id)
    withoutAlarm.add(id.toString())
  }
}

/** `onFreshInstance` loads the classes again. The first call after it ends an object of the class of before, and is an error. */
async function deleteAlarm(id: DurableObjectId): Promise<void> {
  const call = () => runInDurableObject(env.STORES.get(id), (_, { storage }) => storage.deleteAlarm())
  try {
    await call()
  } catch (error) {
    if (!String(error).includes('invalidating this Durable Object')) throw error
    await call()
  }
}
