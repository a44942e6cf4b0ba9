/** After a restore and `npm run after-restore`, an id or cursor that clients know must not stand for another record. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { GAP, restoreStatements } from '../../scripts/restore-statements.ts'
import type { Answer } from '../support/openapi.ts'
import { admin, call, createV1, newStore, newToken, newUser, summary, updateAccess, v1User } from '../support/api.ts'
import { runCron } from '../support/cron.ts'
import { newOperator } from '../support/operators.ts'
import { eventsOf, idIn, insertAccess, newProduct, numberOf, rowsOf, type TestStore } from '../support/rows.ts'
import { arrived, change, endpointRow, newHook, sweep, work } from '../support/webhooks.ts'

const DAY = 24 * 60 * 60 * 1000
const TABLES = ['product_accesses', 'users', 'products', 'custom_fields', 'access_tokens', 'events']

/** Sends the same statements as the command. */
async function moveNumbersOn() {
  const sql = restoreStatements({ run: crypto.randomUUID(), now: Date.now() })
  const [, , counts, tokens] = await env.DB.batch<any>(Object.values(sql).map((text) => env.DB.prepare(text)))
  return { counts: counts?.results[0], tokens: tokens?.results ?? [] }
}

async function newestOf(store: TestStore): Promise<number> {
  return numberOf((await eventsOf(store)).at(-1).id)
}

/** Removes everything after event `n`, as a restore does; only clients still know about it. */
async function restore(store: TestStore, n: number): Promise<void> {
  const [from, to] = [await idIn(store, n), await idIn(store, 2 ** 32 - 1)]
  await rowsOf('delete from idempotency_keys where record_id > ? and record_id < ?', from, to)
  for (const table of TABLES) await rowsOf(`delete from ${table} where id > ? and id < ?`, from, to)
}

function feed(store: TestStore, query = ''): Promise<Answer> {
  return call('GET', `/v1/stores/${store.id}/events${query}`, { token: store.token })
}

/** Returns the ids that a client reads from this cursor on, page by page. */
async function follow(store: TestStore, after: number | string, limit = 50): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | null = String(after); cursor !== null;) {
    const answer = await feed(store, `?limit=${limit}${cursor === '' ? '' : `&after=${cursor}`}`)
    expect(summary(answer)).toBe('200')
    ids.push(...idsIn(answer))
    cursor = answer.json.next
  }
  return ids
}

const idsIn = ({ json }: Answer): number[] => json.data.map(({ id }: any) => Number(id))

let store: TestStore
let kept: number

beforeEach(async () => {
  store = await newStore()
  await createV1(store, v1User())
  kept = await newestOf(store)
})

describe('After a restore', () => {
  it('every store and the operators have an event store.restored far ahead', async () => {
    const other = await newStore()
    const { counts } = await moveNumbersOn()
    expect(counts.moved).toBe(counts.stores)
    expect(await newestOf(store)).toBe(kept + GAP)
    expect(await newestOf(other)).toBe(2 + GAP)
    const { json } = await feed(store, `?after=${kept}`)
    const data = { store_id: store.id }
    expect(json.data).toEqual([
      {
        id: String(kept + GAP),
        type: 'store.restored',
        timestamp: expect.any(String),
        store_id: store.id,
        request_id: null,
        actor: { type: 'system' },
        data,
      },
    ])
    const [{ newest }] = await rowsOf('select max(id) as newest from events where id < ?', 2 ** 32)
    const { json: after } = await admin('GET', `/events?after=${newest - 1}`)
    expect(after.data.at(-1)).toMatchObject({ type: 'store.restored', store_id: null, data: { store_id: null } })
  })

  it('a second run of the command only leaves a second gap', async () => {
    await moveNumbersOn()
    await moveNumbersOn()
    expect(await follow(store, kept)).toEqual([kept + GAP, kept + 2 * GAP])
    const created = await createV1(store, v1User())
    expect(created.json.id).toBe(String(kept + 2 * GAP + 1))
    expect((await admin('PATCH', `/stores/${store.id}`, { name: 'New' })).status).toBe(200)
    const updated = (await eventsOf(store)).at(-1)
    expect(numberOf(updated.previous_id)).toBe(kept + 2 * GAP)
  })

  it('a client with a later cursor continues with store.restored and misses no event', async () => {
    await createV1(store, v1User())
    await createV1(store, v1User())
    const { json } = await feed(store)
    expect(Number(json.cursor)).toBe(kept + 2)
    await restore(store, kept)
    await moveNumbersOn()
    const { json: created } = await createV1(store, v1User())
    for (const after of [kept - 1, kept, kept + 1, json.cursor]) {
      const ids = await follow(store, after)
      expect(ids.filter((id) => id > kept)).toEqual([kept + GAP, Number(created.id)])
    }
    expect(summary(await feed(store, `?after=${kept + GAP + 2}`))).toBe('422 invalid_parameter: after')
  })

  it('the pages of the feed contain every event once across the gap', async () => {
    await moveNumbersOn()
    await createV1(store, v1User())
    expect(await follow(store, '', 2)).toEqual((await eventsOf(store)).map(({ id }) => numberOf(id)))
  })

  it('a cursor from before the gap is valid while store.restored is kept, and a cursor of purged events returns 410', async () => {
    await moveNumbersOn()
    const [from, to] = [await idIn(store, 0), await idIn(store, kept)]
    await rowsOf('update events set created_at = ? where id > ? and id <= ?', Date.now() - 100 * DAY, from, to)
    await runCron()
    expect((await eventsOf(store)).map(({ id }) => numberOf(id))).toEqual([kept + GAP])
    for (const after of [kept, kept + 5]) expect(idsIn(await feed(store, `?after=${after}`))).toEqual([kept + GAP])
    const answer = await feed(store, `?after=${kept - 1}`)
    expect(summary(answer)).toBe('410 cursor_expired: after')
    expect(answer.json.message).toContain(`the id ${kept + GAP}.`)
  })

  it('no id of a user or an access is used again', async () => {
    const { json: user } = await createV1(store, v1User())
    const { id: product_id } = await newProduct(store)
    const access = await insertAccess(store, { user_id: user.id, product_id })
    await restore(store, kept)
    await moveNumbersOn()
    const ids: string[] = []
    for (let i = 0; i < 4; i++) ids.push((await newUser(store)).id)
    expect(Math.min(...ids.map(Number))).toBeGreaterThan(kept + GAP)
    expect((await updateAccess(store, access, { status: 'without_access' })).status).toBe(404)
    expect((await admin('GET', `/stores/${store.id}/users/${user.id}`)).status).toBe(404)
  })

  it('a create with a key from the lost time creates the user, and its replay has the new id', async () => {
    const [body, headers] = [v1User(), { 'X-Idempotency-Key': 'order-1' }]
    const lost = await createV1(store, body, { headers })
    await restore(store, kept)
    await moveNumbersOn()
    const made = await createV1(store, body, { headers })
    expect([made.status, made.headers.get('Idempotent-Replayed')]).toEqual([201, null])
    expect(made.json.id).not.toBe(lost.json.id)
    const again = await createV1(store, body, { headers })
    expect([again.headers.get('Idempotent-Replayed'), again.text]).toEqual(['true', made.text])
  })

  it('a create with a key in the restored database is replayed', async () => {
    const [body, headers] = [v1User(), { 'X-Idempotency-Key': 'order-1' }]
    const made = await createV1(store, body, { headers })
    await moveNumbersOn()
    const again = await createV1(store, body, { headers })
    expect([again.headers.get('Idempotent-Replayed'), again.text]).toEqual(['true', made.text])
  })

  it('a webhook endpoint gets store.restored and later events with ids that its receiver has not seen', async () => {
    const hook = await newHook()
    const [known = ''] = await change(hook)
    await change(hook, 2)
    await work(hook)
    expect(await arrived(hook)).toHaveLength(3)
    const before = (await arrived(hook)).map(Number)
    // A restore also moves the cursor of the endpoint back, and nothing in its object.
    await restore(hook.store, Number(known))
    await rowsOf(
      'update webhook_endpoints set cursor = ? where id = ?',
      await idIn(hook.store, known),
      hook.endpoint_id,
    )
    await moveNumbersOn()
    await sweep(hook.bindings)
    const [created = ''] = await change(hook)
    await work(hook)
    const after = (await arrived(hook)).map(Number).slice(3)
    expect(after.toSorted((a, b) => a - b)).toEqual([Number(known) + GAP, Number(created)])
    expect(before).not.toContain(after[0])
    expect(numberOf((await endpointRow(hook)).cursor)).toBe(Number(created))
  })

  it('the command lists the valid tokens of stores and operators and no others', async () => {
    const [revoked, expired, good] = [
      await newToken(store),
      await newToken(store),
      await newToken(store, { name: 'Good' }),
    ]
    await admin('DELETE', `/stores/${store.id}/tokens/${revoked.id}`)
    await rowsOf('update access_tokens set expires_at = 1 where id = ?', await idIn(store, expired.id))
    const operator = await newOperator('viewer')
    const { tokens } = await moveNumbersOn()
    expect(tokens.filter((token) => token.store === store.id).map(({ id }) => String(id))).toEqual(['2', good.id])
    expect(tokens.find((token) => token.store === store.id && token.name === 'Good')).toEqual({
      store: store.id,
      id: Number(good.id),
      name: 'Good',
      scopes: 'users:write product_accesses:write',
      created_at: expect.any(Number),
      last_used_at: null,
    })
    expect(tokens.find((token) => token.store === null && String(token.id) === operator.id)).toMatchObject({
      name: operator.name,
    })
  })

  it('the command skips a store that has no ids left, and reports it', async () => {
    const full = await newStore()
    const last = await idIn(full, 2 ** 32 - 100)
    await rowsOf(
      "insert into events (id, type, created_at, request_id, attempt, subject_id) values (?1, 'user.created', 0, 'r', 0, ?1)",
      last,
    )
    const { counts } = await moveNumbersOn()
    expect(counts.stores - counts.moved).toBe(1)
    expect(await newestOf(full)).toBe(numberOf(last))
    await rowsOf('delete from events where id = ?', last)
  })
})
