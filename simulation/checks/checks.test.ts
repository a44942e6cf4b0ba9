/**
 * An event can be committed after the check has read the feed, and delivered before the check ends. The check must not
 * report it: in seed 255 of an earlier version, a cron inserted such an event 11 ms after the feed was read.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as contract from '../contract.ts'
import { TextRequest } from '../world/fetch-api.ts'
import { Service } from '../world/instances.ts'
import { simulate } from '../run.ts'

/** Calls `meanwhile` once, after the check has read the last page of a store's events and before its next request. */
async function simulateWith(
  seed: number,
  meanwhile: (send: (apiRequest: contract.ApiRequest) => Promise<unknown>) => Promise<void>,
) {
  // oxlint-disable-next-line typescript/unbound-method -- it is always called with its own `this` below
  const { request } = Service.prototype
  let isDone = false
  Service.prototype.request = async function (name, sent) {
    const response = await request.call(this, name, sent)
    const isPage = name.startsWith('end events red ') && response !== undefined
    if (isPage && JSON.parse(response.text).next === null && !isDone) {
      isDone = true
      await meanwhile((apiRequest) => request.call(this, 'another client', toTextRequest(apiRequest)))
    }
    return response
  }
  try {
    const run = await simulate(seed)
    assert.ok(isDone)
    return run
  } finally {
    Service.prototype.request = request
  }
}

it('does not report a webhook whose event was inserted after the feed was read', async () => {
  const { violations, story } = await simulateWith(5, async (send) => {
    await send(contract.createProduct('red', 'created-during-the-check'))
    // This is virtual time, and long enough for the queue and the receiver.
    await new Promise((resolve) => setTimeout(resolve, 30_000))
  })
  const [last] = story.filter((line) => line.includes('→ https://hooks.example.com/red red_')).slice(-1)
  assert.match(last ?? '', / 204$/)
  assert.deepEqual(violations, [])
})

function toTextRequest({ method, path, token, body }: contract.ApiRequest): TextRequest {
  const text = JSON.stringify(body)
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
  }
  return new TextRequest(`https://registrar.test${path}`, { method, headers, body: text })
}
