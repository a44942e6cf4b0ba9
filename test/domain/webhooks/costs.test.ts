/** domain/webhook-attempts.ts and webhook-outcomes.ts: what a round of attempts reads does not grow with what was delivered before. */
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createDb } from '../../../src/db/client.ts'
import { claimDeliveries } from '../../../src/domain/webhook-attempts.ts'
import { recordOutcomes } from '../../../src/domain/webhook-outcomes.ts'
import { createWebhookEndpoint } from '../../../src/domain/webhook-endpoints.ts'
import { newStore } from '../../support/api.ts'
import { faultyD1 } from '../../support/faults.ts'

const NOW = Date.now()

/** The rows that are read while one new event is delivered to an endpoint that has had so many before. */
async function rowsReadAfter(delivered: number): Promise<number> {
  const { id: store_id } = await newStore()
  const url = 'https://receiver.example.com'
  const endpoint = await createWebhookEndpoint(createDb(env.DB), { store_id, url, types: undefined, now: NOW })
  const insertEvent = env.DB.prepare("insert into events (store_id, type, created_at) values (?, 'user.created', 0)")
  await env.DB.batch([
    env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?)
      insert into webhook_deliveries select ?, -i, 'delivered', 1, 204, 0, null from n`,
    ).bind(delivered, endpoint.id),
    insertEvent.bind(store_id),
  ])
  const { DB, rowsRead } = faultyD1(env.DB)
  const claimed = await claimDeliveries(createDb(DB), endpoint.id, NOW)
  if (!claimed) throw new Error('nothing was claimed')
  const outcomes = claimed.attempts.map(({ event, number }) => ({ event_id: event.id, number, status: 500 }))
  expect(outcomes).toHaveLength(1)
  await recordOutcomes(createDb(DB), { claimed, outcomes, now: NOW })
  return rowsRead()
}

it('reads as many rows for a delivery after a thousand others as after one', async () => {
  expect(await rowsReadAfter(1000)).toBe(await rowsReadAfter(1))
})
