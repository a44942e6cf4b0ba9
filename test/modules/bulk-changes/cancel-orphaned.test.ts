/** What happens to the bulk changes of a token that is revoked or expires, or whose store is suspended. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { BULK } from '../../../src/modules/bulk-changes/limits.ts'
import { listRunnable, processChunk } from '../../../src/modules/bulk-changes/process-chunk.ts'
import { admin, call, newToken, summary } from '../../support/api.ts'
import { bulk, type Campus, carryOut, lostWakes, newCampus, SILENT } from '../../support/bulk.ts'
import { recordConsole } from '../../support/console.ts'
import { sharedDb } from '../../support/db.ts'
import { faultyD1, losesAnswer } from '../../support/faults.ts'
import { accessesOf, eventsOf, idIn, rowsOf, storeNumber } from '../../support/rows.ts'
import { newHook, sweep } from '../../support/webhooks.ts'

const CLOSE = { filter: {}, change: { status: 'without_access' } }

const newWriter = ({ store }: Campus) => newToken(store, { scopes: ['product_accesses:write'] })

async function postWith(campus: Campus, token: string, body: object = CLOSE): Promise<string> {
  const answer = await bulk(campus, 'POST', '', body, { token })
  expect(summary(answer)).toBe('202')
  return answer.json.id
}

async function postAsOperator({ store }: Campus, body: object = CLOSE): Promise<string> {
  const answer = await admin('POST', `/stores/${store.id}/bulk_changes`, body, SILENT)
  expect(answer.status).toBe(202)
  return answer.json.id
}

const stateOf = async ({ store }: Campus, id: string): Promise<any> =>
  (await admin('GET', `/stores/${store.id}/bulk_changes/${id}`)).json

const suspend = ({ store }: Campus) => admin('PATCH', `/stores/${store.id}`, { suspended: true })

const revoke = ({ store }: Campus, id: string) => admin('DELETE', `/stores/${store.id}/tokens/${id}`)

const closed = async ({ store }: Campus) =>
  (await accessesOf(store)).filter(({ status }) => status === 'without_access').length

/** Processes the next chunk of what is first in line. */
async function processNext({ store }: Campus, DB = env.DB) {
  const [next] = await listRunnable(sharedDb(), await storeNumber(store))
  if (!next) throw new Error('nothing is to be done')
  return processChunk(sharedDb(DB), next, { run_id: crypto.randomUUID(), now: Date.now() })
}

const endsOf = async ({ store }: Campus) =>
  (await eventsOf(store)).filter(({ type }) => /^bulk_change\.(canceled|finished)$/.test(type))

describe('A bulk change whose token is revoked', () => {
  it('is canceled before its next chunk, with an event of the system, and can be reverted', async () => {
    const campus = await newCampus({ users: BULK.chunk + 1 })
    const writer = await newWriter(campus)
    const id = await postWith(campus, writer.token)
    expect(await processNext(campus)).toMatchObject({ state: 'running' })
    await revoke(campus, writer.id)
    // The answer is lost: the batch that is sent again writes no second event.
    expect(await processNext(campus, faultyD1(env.DB, losesAnswer()).DB)).toMatchObject({ state: 'canceled' })
    expect(await stateOf(campus, id)).toMatchObject({
      state: 'canceled',
      changed: BULK.chunk,
      effects: { closed: BULK.chunk },
    })
    expect(await closed(campus)).toBe(BULK.chunk)
    const ends = await endsOf(campus)
    expect(ends).toMatchObject([
      { type: 'bulk_change.canceled', actor_id: null, subject_id: await idIn(campus.store, id) },
    ])
    expect((await bulk(campus, 'POST', `/${id}/revert`)).status).toBe(202)
    await carryOut(campus)
    expect(await closed(campus)).toBe(0)
  })

  it('is canceled by the every-minute job while it waits, as dry runs and reverts are; those of others go on', async () => {
    const campus = await newCampus({ users: 2 })
    const writer = await newWriter(campus)
    const first = await postWith(campus, campus.store.token)
    await carryOut(campus)
    const second = await postWith(campus, campus.store.token, { filter: {}, change: { extend_days: 1 } })
    const own = [
      await postWith(campus, writer.token),
      await postWith(campus, writer.token, { ...CLOSE, dry_run: true }),
      (await bulk(campus, 'POST', `/${first}/revert`, undefined, { token: writer.token })).json.id,
    ]
    const hook = await newHook({ store: campus.store })
    await rowsOf('update webhook_endpoints set cursor = id + 1000 where id = ?', hook.endpoint_id)
    await revoke(campus, writer.id)
    const { bindings, stores, endpoints } = lostWakes()
    const lines = await recordConsole(() => sweep(bindings, 1000))
    expect(lines.join('\n')).toContain('"canceled_bulk_changes":3')
    for (const id of own) expect(await stateOf(campus, id)).toMatchObject({ state: 'canceled', changed: 0 })
    expect(await stateOf(campus, second)).toMatchObject({ state: 'queued' })
    expect((await endsOf(campus)).map(({ type }) => type)).toEqual([
      'bulk_change.finished',
      'bulk_change.canceled',
      'bulk_change.canceled',
    ])
    expect(stores()).toContain(await storeNumber(campus.store))
    expect(endpoints()).toContain(hook.endpoint_id)
    await carryOut(campus)
    expect((await stateOf(campus, second)).state).toBe('done')
    expect(await closed(campus)).toBe(2)
  })
})

describe('A bulk change whose store is suspended', () => {
  it('is canceled, but not if an operator created it', async () => {
    const campus = await newCampus({ users: 2 })
    const [id, waiting] = [await postWith(campus, campus.store.token), await postWith(campus, campus.store.token)]
    const ofOperator = await postAsOperator(campus)
    await suspend(campus)
    await processNext(campus)
    expect(await stateOf(campus, id)).toMatchObject({ state: 'canceled', changed: 0 })
    expect(await stateOf(campus, waiting)).toMatchObject({ state: 'queued' })
    await sweep(lostWakes().bindings, 1000)
    expect(await stateOf(campus, waiting)).toMatchObject({ state: 'canceled' })
    await carryOut(campus)
    expect(await stateOf(campus, ofOperator)).toMatchObject({ state: 'done', changed: 2 })
  })
})

it('A bulk change goes on after its token has expired', async () => {
  const campus = await newCampus({ users: 2 })
  const writer = await newWriter(campus)
  const id = await postWith(campus, writer.token)
  await rowsOf('update access_tokens set expires_at = 1 where id = ?', await idIn(campus.store, writer.id))
  expect((await call('GET', '/v1/token', { token: writer.token })).status).toBe(401)
  await sweep(lostWakes().bindings, 1000)
  await carryOut(campus)
  expect(await stateOf(campus, id)).toMatchObject({ state: 'done', changed: 2 })
})
