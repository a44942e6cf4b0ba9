import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { admin, call, createV1, newToken, refused, summary, useStore, v1User } from '../../support/api.ts'
import { faultyD1, losesAnswer } from '../../support/faults.ts'
import { inStore } from '../../support/places.ts'
import { eventsOf, idIn, rowsOf } from '../../support/rows.ts'

const HOUR_MS = 3_600_000

const store = useStore()

function rotate(id: string, overlap_hours?: number, bindings: object = {}) {
  const path = `/admin/stores/${store.id}/tokens/${id}/rotate`
  const body = overlap_hours === undefined ? {} : { body: { overlap_hours } }
  return call('POST', path, { token: env.ADMIN_TOKEN, bindings, ...body })
}

async function rowOf(id: string): Promise<any> {
  const [row] = await rowsOf('select * from access_tokens where id = ?', await idIn(store, id))
  return { ...row, older: JSON.parse(row.older_hashes ?? '{}') }
}

/** Returns for each secret whether it is accepted. */
async function goodOnes(tokens: string[]): Promise<boolean[]> {
  const answers = await Promise.all(tokens.map((token) => createV1({ ...store, token }, v1User())))
  for (const answer of answers) expect(['201', '401 invalid_token']).toContain(summary(answer))
  return answers.map(({ status }) => status === 201)
}

/** Moves the end times of the older secrets into the past, as if so many hours had passed. */
async function wait(id: string, hours: number): Promise<void> {
  const { id: row, older } = await rowOf(id)
  const aged = Object.fromEntries(Object.entries<number>(older).map(([hash, until]) => [hash, until - hours * HOUR_MS]))
  await rowsOf('update access_tokens set older_hashes = ? where id = ?', JSON.stringify(aged), row)
}

describe('POST /admin/stores/{store_id}/tokens/{id}/rotate', () => {
  it('returns 200 with the same token and a new secret, and accepts the old secret for 24 hours', async () => {
    const { token, ...created } = await newToken(store)
    const { status, json } = await rotate(created.id)
    expect(status).toBe(200)
    expect(json).toEqual({ ...created, token: expect.stringMatching(/^rgs_/) })
    expect(json.token).not.toBe(token)
    expect(await goodOnes([token, json.token])).toEqual([true, true])
    const [event] = (await eventsOf(store)).filter(({ type }) => type === 'access_token.rotated').slice(-1)
    expect(event.data).toBeNull()
    expect(Object.values((await rowOf(created.id)).older)).toEqual([event.created_at + 24 * HOUR_MS])
    await wait(created.id, 23)
    expect(await goodOnes([token, json.token])).toEqual([true, true])
    await wait(created.id, 1)
    expect(await goodOnes([token, json.token])).toEqual([false, true])
  })

  it('accepts each older secret until its own end time and removes expired ones', async () => {
    const { id, token: first } = await newToken(store)
    const { token: second } = (await rotate(id, 10)).json
    const { token: third } = (await rotate(id, 1)).json
    await wait(id, 2)
    expect(await goodOnes([first, second, third])).toEqual([true, false, true])
    const { token: fourth } = (await rotate(id, 168)).json
    expect(Object.keys((await rowOf(id)).older)).toHaveLength(2)
    expect(await goodOnes([first, second, third, fourth])).toEqual([true, false, true, true])
  })

  it('returns 422 and changes nothing when it would make a fifth valid secret', async () => {
    const { id, token } = await newToken(store)
    const tokens = [token]
    for (let i = 0; i < 3; i++) tokens.push((await rotate(id)).json.token)
    const before = await rowOf(id)
    const answer = await rotate(id, 5)
    expect(summary(answer)).toBe('422 invalid_parameter: overlap_hours')
    expect(refused(answer)).toEqual({ overlap_hours: '5' })
    expect(await rowOf(id)).toEqual(before)
    expect(refused(await rotate(id))).toEqual({ overlap_hours: '' })
    expect(await goodOnes(tokens)).toEqual([true, true, true, true])
    await wait(id, 24)
    expect((await rotate(id)).status).toBe(200)
  })

  it('rejects all older secrets at once with overlap_hours 0', async () => {
    const { id, token } = await newToken(store)
    const tokens = [token]
    for (let i = 0; i < 3; i++) tokens.push((await rotate(id)).json.token)
    const { status, json } = await rotate(id, 0)
    expect(status).toBe(200)
    expect(await goodOnes([...tokens, json.token])).toEqual([false, false, false, false, true])
    expect((await rowOf(id)).older_hashes).toBeNull()
  })

  it('keeps the idempotency keys of the token', async () => {
    const { id, token } = await newToken(store)
    const [body, headers] = [v1User(), { 'X-Idempotency-Key': crypto.randomUUID() }]
    const first = await createV1({ ...store, token }, body, { headers })
    const rotated = (await rotate(id)).json
    const replay = await createV1({ ...store, token: rotated.token }, body, { headers })
    expect([first.status, replay.status, replay.text]).toEqual([201, 201, first.text])
    expect(replay.headers.get('Idempotent-Replayed')).toBe('true')
  })

  it('returns a valid secret and rotates once when its response was lost', async () => {
    const { id, token } = await newToken(store)
    const { DB, roundTrips } = faultyD1(env.DB, inStore(losesAnswer()))
    const { json } = await rotate(id, 1, { DB })
    expect(roundTrips()).toBe(3)
    expect(await goodOnes([token, json.token])).toEqual([true, true])
    expect(Object.keys((await rowOf(id)).older)).toHaveLength(1)
  })

  it('keeps all secrets valid when another rotation runs between a lost response and its retry', async () => {
    const { id, token } = await newToken(store)
    const others: any[] = []
    const { DB } = faultyD1(env.DB, inStore(losesAnswer(async () => others.push((await rotate(id)).json))))
    const { json } = await rotate(id, 1, { DB })
    expect(await goodOnes([token, json.token, others[0].token])).toEqual([true, true, true])
  })

  it('keeps all secrets valid when two rotations run at the same time', async () => {
    const { id, token } = await newToken(store)
    const answers = await Promise.all([rotate(id), rotate(id)])
    expect(await goodOnes([token, ...answers.map(({ json }) => json.token)])).toEqual([true, true, true])
  })

  it('costs one round trip after the look-up of the store, and writes two rows', async () => {
    const { id } = await newToken(store)
    const { DB, roundTrips, rowsWritten } = faultyD1(env.DB)
    await rotate(id, 1, { DB })
    expect([roundTrips(), rowsWritten()]).toEqual([2, 2])
  })

  it.each([-1, 169, 1.5])('returns 422 for overlap_hours %j', async (hours) => {
    const { id } = await newToken(store)
    expect(refused(await rotate(id, hours))).toEqual({ overlap_hours: String(hours) })
  })

  it('accepts 168 hours and treats null as omitted', async () => {
    const { id } = await newToken(store)
    expect((await rotate(id, 168)).status).toBe(200)
    const answer = await admin('POST', `/stores/${store.id}/tokens/${id}/rotate`, { overlap_hours: null })
    expect(answer.status).toBe(200)
  })

  it('returns 404 for a revoked and for an unknown token', async () => {
    const { id } = await newToken(store)
    await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    for (const number of [id, '0', 'abc', '4294967295']) {
      expect(summary(await rotate(number))).toBe('404 not_found')
    }
  })
})
