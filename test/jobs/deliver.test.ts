import { describe, expect, it } from 'vitest'
import { call, createV3, newAccess, newStore, updateAccess, v1User, v3User, WITHOUT_QUOTA } from '../support/api.ts'
import { recordConsole } from '../support/console.ts'
import { newOperator } from '../support/operators.ts'
import type { Reply } from '../support/receiver.ts'
import { insertEvents } from '../support/rows.ts'
import {
  arrived,
  change,
  deliver,
  deliverAll,
  deliveriesOf,
  eventsOf,
  newHook,
  onHook,
  operate,
  until,
  verified,
} from '../support/webhooks.ts'

describe('A delivery', () => {
  it('contains the event as the API returns it, with the signature of Standard Webhooks', async () => {
    const hook = await newHook()
    const before = Math.floor(Date.now() / 1000)
    const [id] = await change(hook)
    await deliver(hook)

    const [request, second] = await hook.receiver.requests()
    if (!request) throw new Error('nothing has arrived')
    expect(second).toBeUndefined()
    const [event] = (await eventsOf(hook.store)).slice(-1)
    expect(event).toMatchObject({ id, type: 'user.created', actor: { type: 'access_token' } })
    expect(verified(request, hook.secret)).toEqual(event)
    expect(request).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': `${hook.store.id}_${id}` },
    })
    const sentAt = Number(request.headers['webhook-timestamp'])
    expect(sentAt).toBeGreaterThanOrEqual(before)
    expect(sentAt).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it('shows the operator who made the change by id, without a name', async () => {
    const hook = await newHook()
    const { id, name, token } = await newOperator('admin')
    const path = `/admin/stores/${hook.store.id}/users`
    await call('POST', path, { token, body: v1User(), bindings: { ...WITHOUT_QUOTA, ...hook.bindings } })
    await deliver(hook)
    const [request] = await hook.receiver.requests()
    if (!request) throw new Error('nothing has arrived')
    expect(verified(request, hook.secret)).toMatchObject({ type: 'user.created', actor: { type: 'operator', id } })
    expect(request.body).not.toContain(name)
  })

  it('contains the event of an update byte for byte, whoever made the change', async () => {
    const store = await newStore()
    const access = await newAccess(store)
    const hook = await newHook({ store })
    const { bindings } = hook
    await updateAccess(store, access.id, { access_due_date: '2030-01-02T03:04:05Z' }, { bindings })
    await operate(
      store,
      'PATCH',
      `/product_accesses/${access.id}`,
      { progress: 40, grade: 7.5, passed: true },
      bindings,
    )
    await deliverAll(hook)

    const { text } = await operate(store, 'GET', '/events')
    const requests = await hook.receiver.requests()
    expect(requests).toHaveLength(2)
    for (const { body } of requests) expect(text).toContain(body)
    const types: string[] = requests.map((request) => verified(request, hook.secret).type)
    expect(types.toSorted()).toEqual(['product_access.progressed', 'product_access.updated'])
  })

  it('contains no name, email, password or token', async () => {
    const hook = await newHook()
    const user = v3User({
      name: 'Canary',
      email: `canary.${crypto.randomUUID()}@example.com`,
      password: 'Canary horse',
    })
    expect((await createV3(hook.store, user, { bindings: hook.bindings })).status).toBe(201)
    await deliver(hook)
    const requests = await hook.receiver.requests()
    expect(requests).toHaveLength(1)
    expect(JSON.stringify(requests)).not.toMatch(/canary|rgs_|whsec_/i)
  })

  it('does not verify with another secret, or when its body, id or timestamp differ', async () => {
    const [hook, other] = [await newHook(), await newHook()]
    await change(hook)
    await deliver(hook)
    const [request] = await hook.receiver.requests()
    if (!request) throw new Error('nothing has arrived')
    const { body, headers } = request
    const changed = [
      { ...request, body: body.replace('user.created', 'user.deleted') },
      { ...request, headers: { ...headers, 'webhook-id': '1' } },
      { ...request, headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) } },
    ]
    expect(() => verified(request, other.secret)).toThrow('No matching signature')
    for (const each of changed) expect(() => verified(each, hook.secret)).toThrow('No matching signature')
  })

  it('starts with one queue message per change and is recorded when it has ended', async () => {
    const hook = await newHook()
    const [id] = await change(hook)
    expect(hook.wakeUps()).toEqual([{ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 }])
    await deliver(hook)
    expect(hook.wakeUps()).toHaveLength(1)
    expect(await deliveriesOf(hook)).toMatchObject([
      { event_id: id, state: 'delivered', attempts: 1, last_status: 204, next_attempt_at: null },
    ])
    await deliver(hook)
    expect(await arrived(hook)).toEqual([id])
  })
})

describe('An endpoint', () => {
  it('gets only events of its types', async () => {
    const store = await newStore()
    const access = await newAccess(store)
    const hook = await newHook({ store, types: ['product_access.updated', 'access_token.created'] })
    await change(hook, 2)
    await updateAccess(store, access.id, { status: 'without_access' }, { bindings: hook.bindings })
    await operate(store, 'POST', '/tokens', { name: 'T' }, hook.bindings)
    await deliverAll(hook)
    const types: string[] = (await hook.receiver.requests()).map((request) => verified(request, hook.secret).type)
    expect(types.toSorted()).toEqual(['access_token.created', 'product_access.updated'])
    expect(await deliveriesOf(hook)).toHaveLength(2)
  })

  it('gets no event from before its creation', async () => {
    const store = await newStore()
    await newAccess(store)
    const hook = await newHook({ store })
    await deliver(hook)
    expect(await arrived(hook)).toEqual([])
    const ids = await change(hook)
    await deliver(hook)
    expect(await arrived(hook)).toEqual(ids)
  })

  it('gets a queue message for the first change, even when the store was used before its creation', async () => {
    const store = await newStore()
    await newAccess(store)
    const hook = await newHook({ store })
    await change(hook)
    expect(hook.wakeUps()).toHaveLength(1)
  })

  it('gets a queue message for a batch that changes something and for no other', async () => {
    const hook = await newHook()
    const wakesOf = async (body: object) => {
      const before = hook.wakeUps().length
      expect((await operate(hook.store, 'POST', '/users/batch', body, hook.bindings)).status).toBe(200)
      return hook.wakeUps().length - before
    }
    const items = [v1User(), v1User()]
    expect(await wakesOf({ items, dry_run: true })).toBe(0)
    expect(await wakesOf({ items })).toBe(1)
    for (const on_existing of ['fail', 'skip', 'update']) expect(await wakesOf({ items, on_existing })).toBe(0)
    expect(await wakesOf({ items: [...items, v1User()], on_existing: 'skip' })).toBe(1)
  })

  it('gets no event of another store', async () => {
    const [hook, other] = [await newHook(), await newHook()]
    const [own, foreign] = [await change(hook), await change(other)]
    await deliver(hook)
    await deliver(other)
    expect([await arrived(hook), await arrived(other)]).toEqual([own, foreign])
  })

  it('gets every event, even when the store has another endpoint', async () => {
    const hook = await newHook()
    const second = await newHook({ store: hook.store })
    const ids = [String(second.id), ...(await change(hook))]
    await deliver(hook)
    await deliver(second)
    expect([await arrived(hook), await arrived(second)]).toEqual([ids, ids.slice(1)])
  })

  it('gets nothing after it was deleted', async () => {
    const hook = await newHook()
    await change(hook)
    expect((await onHook(hook, 'DELETE')).status).toBe(204)
    const wakeUps = hook.wakeUps().length
    await change(hook)
    await deliver(hook)
    expect(await arrived(hook)).toEqual([])
    expect(hook.wakeUps()).toHaveLength(wakeUps)
  })

  it('gets each of 230 events once, at most 6 at a time, though one poll and one invocation hold fewer', async () => {
    const hook = await newHook()
    await insertEvents(hook.store, { type: 'user.created', count: 230 })
    const ids = (await eventsOf(hook.store, 'user.created')).map(({ id }): string => id)
    expect(ids).toHaveLength(230)
    await deliverAll(hook)
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
    const underWay = (await hook.receiver.requests()).map((request) => request.underWay)
    expect(Math.max(...underWay)).toBeLessThanOrEqual(6)
  })

  it('has at most 6 requests in flight for any number of consumers, and gets the rest as they end', async () => {
    const hook = await newHook()
    await hook.receiver.answer('hang')
    await insertEvents(hook.store, { type: 'user.created', count: 40 })
    const consumers = Promise.all(Array.from({ length: 8 }, () => deliver(hook)))
    await until(async () => (await arrived(hook)).length === 6)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(6)
    expect(await deliveriesOf(hook)).toHaveLength(40)
    await hook.receiver.answer(204)
    await consumers
    expect(await arrived(hook)).toHaveLength(40)
    const underWay = (await hook.receiver.requests()).map((request) => request.underWay)
    expect(Math.max(...underWay)).toBe(6)
  })

  it('gets other events while one request hangs', async () => {
    const hook = await newHook()
    await hook.receiver.answer('hang', 204)
    const ids = await change(hook, 10)
    const delivery = deliver(hook)
    await until(async () => (await arrived(hook)).length === 10)
    const later = await change(hook)
    await deliver(hook)
    expect((await arrived(hook)).toSorted()).toEqual([...ids, ...later].toSorted())
    await hook.receiver.answer(204)
    await delivery
  })

  it('gets its event after more events of other types than one poll can hold', async () => {
    const hook = await newHook({ types: ['access_token.created'] })
    await insertEvents(hook.store, { type: 'user.created', count: 230 })
    await operate(hook.store, 'POST', '/tokens', { name: 'T' }, hook.bindings)
    const [event] = (await eventsOf(hook.store)).slice(-1)
    await deliverAll(hook)
    expect(await arrived(hook)).toEqual([event.id])
  })
})

describe('An attempt', () => {
  it.each([200, 201, 202, 299])('succeeds when the response is %d', async (status) => {
    const hook = await newHook()
    await hook.receiver.answer(status)
    await change(hook)
    await deliver(hook)
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'delivered', last_status: status }])
  })

  it.each<[Reply, number | null]>([
    [301, 301],
    [302, 302],
    [307, 307],
    [308, 308],
    [400, 400],
    [404, 404],
    [429, 429],
    [500, 500],
    ['cut', null],
  ])('fails when the response is %s', async (reply, last_status) => {
    const hook = await newHook()
    await hook.receiver.answer(reply)
    await change(hook)
    await deliver(hook)
    expect(await deliveriesOf(hook)).toMatchObject([
      { state: 'pending', attempts: 1, last_status, next_attempt_at: expect.any(String) },
    ])
    expect(await hook.receiver.elsewhere()).toEqual([])
    expect((await onHook(hook, 'GET')).json.enabled).toBe(true)
  })

  it('fails when nothing listens at the URL', async () => {
    const hook = await newHook({ url: 'http://127.0.0.1:1/' })
    await change(hook)
    await deliver(hook)
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'pending', attempts: 1, last_status: null }])
  })

  it('fails after 10 seconds without a response', async () => {
    const hook = await newHook()
    await hook.receiver.answer('hang')
    await change(hook)
    const lines = await recordConsole(() => deliver(hook))
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'pending', attempts: 1, last_status: null }])
    const [line] = lines.map((each) => JSON.parse(each))
    expect(line).toMatchObject({ kind: 'attempt', status: null, failure: 'timeout' })
    expect(line.duration_ms).toBeGreaterThan(9900)
  })
})
