import { describe, expect, it } from 'vitest'
import { summary } from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import type { Received } from '../../support/receiver.ts'
import {
  ageSecrets,
  arrived,
  at,
  change,
  type Hook,
  newHook,
  newReceiver,
  onHook,
  verified,
  work,
} from '../../support/webhooks.ts'

const HOUR = 60 * 60 * 1000

/** Makes a change and returns its webhook request. */
async function nextRequest(hook: Hook): Promise<Received> {
  const [id = ''] = await change(hook)
  await work(hook)
  const request = (await hook.receiver.requests()).find(({ headers }) => headers['webhook-id']?.endsWith(`_${id}`))
  if (!request) throw new Error('nothing has arrived')
  return request
}

function signaturesOf({ headers }: Received): string[] {
  return headers['webhook-signature']?.split(' ') ?? []
}

async function rotate(hook: Hook, overlap_hours?: number): Promise<string> {
  return (await onHook(hook, 'POST', '/rotate_secret', { overlap_hours })).json.secret
}

describe('A webhook secret', () => {
  it('signs alone until it is rotated', async () => {
    const hook = await newHook()
    expect(signaturesOf(await nextRequest(hook))).toEqual([expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/)])
  })

  it('signs together with the new secret after a rotation, and both signatures verify', async () => {
    const hook = await newHook()
    const secret = await rotate(hook)
    const request = await nextRequest(hook)
    expect(signaturesOf(request)).toHaveLength(2)
    expect(verified(request, secret)).toEqual(verified(request, hook.secret))
  })

  it('signs for 24 hours after a rotation and no longer', async () => {
    const hook = await newHook()
    const secret = await rotate(hook)
    await ageSecrets(hook, 23 * HOUR)
    expect(signaturesOf(await nextRequest(hook))).toHaveLength(2)
    await ageSecrets(hook, HOUR)
    const request = await nextRequest(hook)
    expect(signaturesOf(request)).toHaveLength(1)
    expect(verified(request, secret)).toMatchObject({ type: 'user.created' })
    expect(() => verified(request, hook.secret)).toThrow('No matching signature')
  })

  it('signs until its own end time after two rotations, even when the other one ends earlier', async () => {
    const hook = await newHook()
    const second = await rotate(hook, 48)
    await ageSecrets(hook, HOUR)
    const third = await rotate(hook, 1)
    const all = await nextRequest(hook)
    expect(signaturesOf(all)).toHaveLength(3)
    for (const secret of [hook.secret, second, third])
      expect(verified(all, secret)).toMatchObject({ type: 'user.created' })
    await ageSecrets(hook, 2 * HOUR)
    const later = await nextRequest(hook)
    expect(signaturesOf(later)).toHaveLength(2)
    expect(verified(later, hook.secret)).toEqual(verified(later, third))
    expect(() => verified(later, second)).toThrow('No matching signature')
  })

  it('stops signing immediately, as all older secrets do, when it is rotated without an overlap', async () => {
    const hook = await newHook()
    const second = await rotate(hook)
    const third = await rotate(hook, 0)
    const request = await nextRequest(hook)
    expect(signaturesOf(request)).toHaveLength(1)
    expect(verified(request, third)).toMatchObject({ type: 'user.created' })
    for (const secret of [hook.secret, second]) expect(() => verified(request, secret)).toThrow('No matching signature')
  })

  it('is one of at most four valid secrets, so a rotation to a fifth returns 422 until one expires', async () => {
    const hook = await newHook()
    for (const hours of [1, 2, 3]) await rotate(hook, hours)
    expect(summary(await onHook(hook, 'POST', '/rotate_secret'))).toBe('422 invalid_parameter: overlap_hours')
    expect(signaturesOf(await nextRequest(hook))).toHaveLength(4)
    await ageSecrets(hook, HOUR)
    await rotate(hook)
    expect(signaturesOf(await nextRequest(hook))).toHaveLength(4)
    expect(summary(await onHook(hook, 'POST', '/rotate_secret', { overlap_hours: 0 }))).toBe('200')
  })

  it.each([-1, 169, 1.5, '24', true])('cannot be kept for %j hours', async (overlap_hours) => {
    const answer = await onHook(await newHook(), 'POST', '/rotate_secret', { overlap_hours })
    expect(summary(answer)).toBe('422 invalid_parameter: overlap_hours')
  })

  it('signs the retries of requests that were sent before its creation', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await nextRequest(hook)
    const secret = await rotate(hook)
    await at(Date.now() + HOUR, async () => {
      await work(hook)
      const [, retried] = await hook.receiver.requests()
      if (!retried) throw new Error('nothing has arrived')
      expect(verified(retried, secret)).toEqual(verified(retried, hook.secret))
    })
  })
})

describe('The log of deliveries', () => {
  /** The attempts for this store: what other tests have left may be tried again at the same time. */
  async function attemptsFor(hook: Hook): Promise<unknown[]> {
    const lines = await recordConsole(() => work(hook))
    return lines.map((line) => JSON.parse(line)).filter(({ store_id }) => store_id === hook.store.id)
  }

  it('has one line per attempt', async () => {
    const hook = await newHook()
    await change(hook)
    const attempts = await attemptsFor(hook)
    const event_id = (await arrived(hook))[0]
    expect(attempts).toEqual([
      {
        kind: 'attempt',
        store_id: hook.store.id,
        webhook_endpoint_id: hook.id,
        event_id,
        attempt: 1,
        status: 204,
        duration_ms: expect.any(Number),
      },
    ])
  })

  it('has the reason when there was no response', async () => {
    const hook = await newHook()
    await hook.receiver.answer('cut')
    await change(hook)
    expect(await attemptsFor(hook)).toMatchObject([{ status: null, failure: 'unreachable' }])
  })

  it('contains no secret, no signature and nothing of the URL', async () => {
    const elsewhere = newReceiver('?token=Canary')
    const hook = await newHook()
    const { pathname, host } = new URL(hook.receiver.url)
    const secrets = [hook.secret]
    const lines = await recordConsole(async () => {
      const other = await newHook({ store: hook.store, url: elsewhere.url })
      secrets.push(other.secret, await rotate(hook))
      await change(hook)
      await work(other)
      await onHook(hook, 'POST', '/test')
      await hook.receiver.answer('cut', 500, 302, 410)
      for (let i = 0; i < 4; i++) await at(Date.now() + i * HOUR, () => work(hook))
      await onHook(hook, 'POST', '/enable')
      await work(hook)
    })
    expect(lines.length).toBeGreaterThan(10)
    const requests = await hook.receiver.requests()
    expect(requests.length).toBeGreaterThan(6)
    const signatures = requests.flatMap(signaturesOf).map((signature) => signature.replace('v1,', ''))
    const bare = secrets.map((secret) => secret.replace('whsec_', ''))
    const text = lines.join('\n')
    for (const each of [...bare, ...signatures, pathname.slice(1), host, 'Canary', 'whsec_'])
      expect(text).not.toContain(each)
  })
})
