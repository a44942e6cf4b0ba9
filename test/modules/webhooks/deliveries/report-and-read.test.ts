/** The trip of an endpoint's object to the database of its store, in which it disables an endpoint that has failed for long. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { reportAndRead } from '../../../../src/modules/webhooks/deliveries/report-and-read.ts'
import { sharedDb } from '../../../support/db.ts'
import { faultyD1, losesAnswer } from '../../../support/faults.ts'
import { endpointRow, eventsOf, type Hook, newHook } from '../../../support/webhooks.ts'

/** Disables the endpoint as its object does that has seen this row of it. */
async function disable({ endpoint_id }: Hook, seen: { resumed_by: number; cursor: number }, DB = env.DB) {
  const request = { report: undefined, disables: true, readTo: undefined, window: 0, due: [] }
  return reportAndRead(sharedDb(DB), { endpoint_id, seen, ...request })
}

const disabledEvents = (hook: Hook) => eventsOf(hook.store, 'webhook_endpoint.disabled')

describe('The trip that disables an endpoint', () => {
  it('writes one event, also if its response is lost, and names the other endpoints, which are to be woken for it', async () => {
    const hook = await newHook()
    const other = await newHook({ store: hook.store })
    const { endpoint, endpointsToWake } = await disable(
      hook,
      await endpointRow(hook),
      faultyD1(env.DB, losesAnswer()).DB,
    )
    expect(endpoint?.disabled_at).not.toBeNull()
    expect(endpointsToWake).toEqual([other.endpoint_id])
    expect(await disabledEvents(hook)).toMatchObject([
      { actor: { type: 'system' }, data: { webhook_endpoint_id: String(hook.id) } },
    ])
  })

  it('does nothing if delivery was resumed meanwhile', async () => {
    const hook = await newHook()
    const { resumed_by, cursor } = await endpointRow(hook)
    const { endpoint, endpointsToWake } = await disable(hook, { resumed_by: resumed_by - 1, cursor })
    expect([endpoint?.disabled_at, endpointsToWake]).toEqual([null, []])
    expect(await disabledEvents(hook)).toEqual([])
  })
})
