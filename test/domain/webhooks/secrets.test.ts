/** Who may know a secret, and for how long it signs. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { recordConsole } from '../../support/console.ts'
import { faultyD1, faultyQueue, RETRYABLE } from '../../support/faults.ts'
import type { Received } from '../../support/receiver.ts'
import {
  age,
  arrived,
  change,
  consume,
  DEAD_LETTERS,
  deliver,
  type Hook,
  newHook,
  newReceiver,
  onHook,
  sweep,
  verified,
} from '../../support/webhooks.ts'

const HOUR = 60 * 60 * 1000

/** What a change brings. */
async function nextRequest(hook: Hook): Promise<Received> {
  const [id = ''] = await change(hook)
  await deliver(hook)
  const request = (await hook.receiver.requests()).find(({ headers }) => headers['webhook-id'] === id)
  if (!request) throw new Error('nothing has arrived')
  return request
}

function signaturesOf({ headers }: Received): string[] {
  return headers['webhook-signature']?.split(' ') ?? []
}

async function rotate(hook: Hook): Promise<string> {
  return (await onHook(hook, 'POST', '/rotate_secret')).json.secret
}

describe('a secret', () => {
  it('signs alone until it is rotated', async () => {
    const hook = await newHook()
    expect(signaturesOf(await nextRequest(hook))).toEqual([expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/)])
  })

  it('signs beside the new one once it is rotated, and both verify', async () => {
    const hook = await newHook()
    const secret = await rotate(hook)
    const request = await nextRequest(hook)
    expect(signaturesOf(request)).toHaveLength(2)
    expect(verified(request, secret)).toEqual(verified(request, hook.secret))
  })

  it('signs for 24 hours after it is rotated, and no longer', async () => {
    const hook = await newHook()
    const secret = await rotate(hook)
    await age(hook, 23 * HOUR)
    expect(signaturesOf(await nextRequest(hook))).toHaveLength(2)
    await age(hook, HOUR)
    const request = await nextRequest(hook)
    expect(signaturesOf(request)).toHaveLength(1)
    expect(verified(request, secret)).toMatchObject({ type: 'user.created' })
    expect(() => verified(request, hook.secret)).toThrow('No matching signature')
  })

  it('that was replaced twice signs no more', async () => {
    const hook = await newHook()
    const [second, third] = [await rotate(hook), await rotate(hook)]
    const request = await nextRequest(hook)
    expect(() => verified(request, hook.secret)).toThrow('No matching signature')
    expect(verified(request, second)).toEqual(verified(request, third))
  })

  it('signs the retries of what was sent before it was made', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await nextRequest(hook)
    const secret = await rotate(hook)
    await age(hook, HOUR)
    await deliver(hook)
    const [, retried] = await hook.receiver.requests()
    if (!retried) throw new Error('nothing has arrived')
    expect(verified(retried, secret)).toEqual(verified(retried, hook.secret))
  })
})

describe('the log', () => {
  it('has one line for an attempt', async () => {
    const hook = await newHook()
    await change(hook)
    const lines = await recordConsole(() => deliver(hook))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        webhook_endpoint_id: hook.id,
        store_id: hook.store.id,
        event_id: Number((await arrived(hook))[0]),
        attempt: 1,
        status: 204,
        duration_ms: expect.any(Number),
      },
    ])
  })

  it('names why there was no answer', async () => {
    const hook = await newHook()
    await hook.receiver.answer('cut')
    await change(hook)
    const lines = await recordConsole(() => deliver(hook))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ status: null, failure: expect.any(String) }])
  })

  it('holds no secret, no signature and nothing of the URL, whatever happens', async () => {
    const elsewhere = newReceiver('?token=Canary')
    const hook = await newHook()
    const { pathname, host } = new URL(hook.receiver.url)
    const secrets = [hook.secret]
    const lines = await recordConsole(async () => {
      const other = await newHook({ store: hook.store, url: elsewhere.url })
      secrets.push(other.secret, await rotate(hook))
      await change(hook)
      await deliver(other)
      await hook.receiver.answer('cut', 500, 302, 410)
      for (let i = 0; i < 4; i++) {
        await deliver(hook)
        await age(hook, HOUR)
      }
      await onHook(hook, 'POST', '/enable')
      const { DB } = faultyD1(env.DB, () => ({ message: RETRYABLE[0] ?? '', when: 'before' }))
      await expect(deliver(hook, { DB })).rejects.toMatchObject({ code: 'service_unavailable' })
      await sweep(faultyQueue(env.WEBHOOKS, () => 'refused'))
      await consume(DEAD_LETTERS, [{ endpoint_id: hook.id }], hook.bindings)
    })
    expect(lines.length).toBeGreaterThan(10)
    const requests = await hook.receiver.requests()
    expect(requests).toHaveLength(4)
    const signatures = requests.flatMap(signaturesOf).map((signature) => signature.replace('v1,', ''))
    const bare = secrets.map((secret) => secret.replace('whsec_', ''))
    const text = lines.join('\n')
    for (const each of [...bare, ...signatures, pathname.slice(1), host, 'Canary', 'whsec_'])
      expect(text).not.toContain(each)
  })
})
