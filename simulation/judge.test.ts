/**
 * An event that is committed after the check has read the feed, and delivered before the check ends, is not a finding. In
 * seed 255 of an earlier version a cron inserted such an event 11 ms after the feed was read.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as contract from './contract.ts'
import { TextRequest } from './fetch-api.ts'
import { Service } from './instances.ts'
import { simulate } from './run.ts'

/** Calls `meanwhile` once, after the check has read the last page of a store's events and before its next request. */
async function simulateWith(seed: number, meanwhile: (ask: (ask: contract.Ask) => Promise<unknown>) => Promise<void>) {
  // oxlint-disable-next-line typescript/unbound-method -- it is always called with its own `this` below
  const { request } = Service.prototype
  let isDone = false
  Service.prototype.request = async function (name, asked) {
    const answer = await request.call(this, name, asked)
    const isPage = name.startsWith('end events red ') && answer !== undefined
    if (isPage && JSON.parse(answer.text).next === null && !isDone) {
      isDone = true
      await meanwhile((ask) => request.call(this, 'another client', toRequest(ask)))
    }
    return answer
  }
  try {
    const run = await simulate(seed)
    assert.ok(isDone)
    return run
  } finally {
    Service.prototype.request = request
  }
}

it('accepts a webhook whose event was inserted after the feed was read', async () => {
  const { violations, story } = await simulateWith(5, async (ask) => {
    await ask(contract.createProduct('red', 'created-during-the-check'))
    // In virtual time: long enough for the queue and the receiver.
    await new Promise((resolve) => setTimeout(resolve, 30_000))
  })
  const [last] = story.filter((line) => line.includes('→ https://hooks.example.com/red red_')).slice(-1)
  assert.match(last ?? '', / 204$/)
  assert.deepEqual(violations, [])
})

function toRequest({ method, path, token, body }: contract.Ask): TextRequest {
  const text = JSON.stringify(body)
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
  }
  return new TextRequest(`https://registrar.test${path}`, { method, headers, body: text })
}
