/** The reference plays the service here, so that its histories are known to be right, until a response is changed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Exchange } from '../clients/history.ts'
import * as contract from '../contract.ts'
import { ROOT } from '../reference/callers.ts'
import { Reference } from '../reference/reference.ts'
import { iso } from '../reference/state.ts'
import type { Row } from '../rows.ts'
import { Random } from '../world/random.ts'
import { checkHistories } from './explain.ts'

interface Times {
  start: number
  /** When it takes effect. */
  at: number
  end: number
}

const USER = { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', external_id: 'crm-1' }
const ofRoot = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
): contract.ApiRequest => ({
  method,
  path: `/admin/stores/red${path}`,
  token: contract.ADMIN_TOKEN,
  ...(body && { body }),
  ...(headers && { headers }),
})
const change = (phone: string, headers = {}) => ofRoot('PATCH', '/users/2', { phone }, headers)
const read = ofRoot('GET', '/users/2')

class Service {
  readonly exchanges: Exchange[] = []
  readonly events: Row[] = [{ id: '1', type: 'store.created' }]
  readonly #reference = new Reference('red', [ROOT])

  constructor() {
    this.#add(contract.createStore('red', { place: 'shared' }), { status: 201, json: {} }, { start: 0, end: 1 })
    this.handle(ofRoot('POST', '/users', USER, { 'X-Idempotency-Key': 'a' }), { start: 2, at: 3, end: 4 })
  }

  handle(request: contract.ApiRequest, { start, at, end }: Times): Exchange {
    const id = String(this.events.length + 1)
    const requestId = `request ${this.exchanges.length}`
    const drawn = { json: { id }, text: 'the first response', etag: `"2-${id}"`, requestId, events: [] }
    const outcome = this.#reference.handle(request, at, drawn)
    for (const { type, data, actor } of this.#reference.state.events.splice(0))
      this.events.push({ id, type, data, actor, request_id: requestId, timestamp: iso(at) })
    const { status = 500, body, code, text = code === undefined ? drawn.text : '', headers = {} } = outcome ?? {}
    const response = { status, json: { ...body, ...(code !== undefined && { code }) }, text, requestId }
    return this.#add(request, { ...response, headers }, { start, end })
  }

  #add(request: contract.ApiRequest, shown: Response, { start, end }: Omit<Times, 'at'>): Exchange {
    const { status, json, text = '', headers = {}, requestId = 'no event' } = shown
    const get = (name: string) => (name === 'X-Request-Id' ? requestId : (headers[name] ?? null))
    const isReplay = get('Idempotent-Replayed') === 'true'
    const known = { name: `request ${start}`, request, start, at: end, end, status, headers: { get }, text, json }
    const exchange = { ...known, isReplay, wasResent: false, isRejected: status >= 400 }
    this.exchanges.push(exchange)
    return exchange
  }

  /** What is wrong after the feed was read. */
  check(): string[] {
    const feed = { status: 200, json: { data: this.events, next: null } }
    this.#add(ofRoot('GET', '/events'), feed, { start: 1e6, end: 1e6 })
    return checkHistories([{ id: 'red' }], this)
  }
}

interface Response {
  status: number
  json: Row
  text?: string
  headers?: Record<string, string | null>
  requestId?: string
}

/** As if the response of this request was lost. */
const lose = (exchange: Exchange) =>
  Object.assign(exchange, { status: undefined, end: Infinity, json: {}, text: '', headers: { get: () => null } })

describe('checkHistories', () => {
  it('accepts reads of either state while a change is under way, and none of the old one after the new one', () => {
    const service = new Service()
    service.handle(read, { start: 10, at: 11, end: 30 })
    service.handle(change('1'), { start: 10, at: 12, end: 30 })
    service.handle(read, { start: 10, at: 13, end: 30 })
    assert.deepEqual(service.check(), [])
    const [, , old, , young] = service.exchanges
    Object.assign(young ?? {}, { end: 20 })
    Object.assign(old ?? {}, { start: 21 })
    assert.match(service.check()[0] ?? '', /^red: no state explains: request 10 GET/)
  })

  it('reports a change that took effect before its request', () => {
    const service = new Service()
    service.handle(change('1'), { start: 10, at: 11, end: 12 })
    Object.assign(service.handle(read, { start: 13, at: 14, end: 15 }), { start: 5, end: 6 })
    assert.match(service.check()[0] ?? '', /no state explains/)
  })

  it('reports a rejected request that has an event, and a change without one', () => {
    for (const remove of [true, false]) {
      const service = new Service()
      const exchange = service.handle(change('1'), { start: 10, at: 11, end: 12 })
      if (remove) service.events.pop()
      else Object.assign(exchange, { status: 422, json: { code: 'invalid_parameter' } })
      assert.match(service.check()[0] ?? '', remove ? /it has no event/ : /the status is 422, not 200/)
    }
  })

  it('reports a change whose event comes after that of a later request', () => {
    const service = new Service()
    service.handle(change('1'), { start: 30, at: 31, end: 32 })
    service.handle(change('2'), { start: 10, at: 33, end: 11 })
    assert.match(service.check()[0] ?? '', /no order explains/)
  })

  it('tells by later reads whose request without a response made a change', () => {
    for (const phone of ['1', '2']) {
      const service = new Service()
      for (const other of ['1', '2']) {
        const lost = lose(service.handle(read, { start: 9, at: 10, end: 10 }))
        Object.assign(lost, { request: change(other) })
      }
      lose(service.handle(change(phone), { start: 10, at: 11, end: 12 }))
      const { json } = service.handle(read, { start: 20, at: 21, end: 22 })
      assert.deepEqual(service.check(), [])
      Object.assign(json, { phone: '3' })
      assert.match(service.check()[0] ?? '', /no state explains/)
    }
  })

  it('accepts the record of a later state if the batch was sent again, and no record that there never was', () => {
    const service = new Service()
    const resent = service.handle(change('1'), { start: 10, at: 11, end: 40 })
    const later = service.handle(change('2'), { start: 12, at: 13, end: 14 })
    const { json, headers } = later
    Object.assign(resent, { wasResent: true, json })
    Object.assign(resent.headers, {
      get: (name: string) => headers.get(name === 'X-Request-Id' ? 'none' : name) ?? 'request 2',
    })
    assert.deepEqual(service.check(), [])
    Object.assign(resent, { json: { ...json, phone: '3' } })
    assert.match(service.check()[0] ?? '', /no state explains/)
  })

  it('accepts a rotation that shows the later end of its token only if the batch was sent again', () => {
    const service = new Service()
    const { json } = service.handle(ofRoot('POST', '/tokens', { name: 'shop' }), { start: 10, at: 11, end: 12 })
    const path = `/tokens/${String(json['id'])}`
    const rotation = service.handle(ofRoot('POST', `${path}/rotate`, {}), { start: 20, at: 21, end: 40 })
    service.handle(ofRoot('DELETE', path), { start: 22, at: 23, end: 24 })
    assert.deepEqual(service.check(), [])
    Object.assign(rotation, { json: { ...rotation.json, revoked_at: iso(23) } })
    assert.match(service.check()[0] ?? '', /revoked_at is/)
    Object.assign(rotation, { wasResent: true })
    assert.deepEqual(service.check(), [])
  })

  it('counts a replaced secret that nobody knows, because the response with it was lost', () => {
    const service = new Service()
    const { json } = service.handle(ofRoot('POST', '/tokens', { name: 'shop' }), { start: 10, at: 11, end: 12 })
    const rotate = ofRoot('POST', `/tokens/${String(json['id'])}/rotate`, {})
    service.handle(rotate, { start: 20, at: 21, end: 22 })
    lose(service.handle(rotate, { start: 30, at: 31, end: 32 }))
    service.handle(rotate, { start: 40, at: 41, end: 42 })
    const { status, json: error } = service.handle(rotate, { start: 50, at: 51, end: 52 })
    assert.equal(status, 422)
    Object.assign(error, { details: { field: 'overlap_hours' } })
    assert.deepEqual(service.check(), [])
  })

  it('accepts a replay with the first response or the record as it is, and no other', () => {
    const service = new Service()
    service.handle(change('1'), { start: 10, at: 11, end: 12 })
    const create = ofRoot('POST', '/users', USER, { 'X-Idempotency-Key': 'a' })
    const replay = service.handle(create, { start: 20, at: 21, end: 22 })
    assert.deepEqual(service.check(), [])
    const { json, headers } = service.handle(read, { start: 30, at: 31, end: 32 })
    const first = replay.headers
    const get = (name: string) => (name === 'ETag' ? headers.get(name) : first.get(name))
    Object.assign(replay, { text: 'as it is now', json, headers: { get } })
    assert.deepEqual(service.check(), [])
    Object.assign(replay, { json: { ...json, phone: '2' } })
    assert.match(service.check()[0] ?? '', /no state explains/)
  })

  it('accepts a replay of a response that showed the record as others had changed it, with the ETag of that state', () => {
    const service = new Service()
    const [, create] = service.exchanges
    assert.ok(create)
    const later = service.handle(change('1'), { start: 4, at: 5, end: 6 })
    const withLaterEtag = ({ get }: Exchange['headers']) => ({
      get: (name: string) => (name === 'ETag' ? later.headers.get(name) : get(name)),
    })
    Object.assign(create, { end: 8, wasResent: true, json: later.json, headers: withLaterEtag(create.headers) })
    service.handle(change('2'), { start: 10, at: 11, end: 12 })
    const replay = service.handle(create.request, { start: 20, at: 21, end: 22 })
    const { headers } = replay
    Object.assign(replay, { headers: withLaterEtag(headers) })
    assert.deepEqual(service.check(), [])
    Object.assign(replay, { headers })
    assert.match(service.check()[0] ?? '', /no state explains: request 20 /)
  })

  it('accepts every history that a store has really had, and reports each one with a changed read', () => {
    const random = new Random(7)
    for (let round = 0; round < 100; round++) {
      const service = new Service()
      const times = Array.from({ length: 24 }, () => {
        const start = 10 + random.below(100)
        const end = start + 1 + random.below(20)
        return { start, end, at: random.between(start, end) }
      })
      const requests = () => random.pick([read, read, change('1'), change('2'), change('1', { 'If-Match': '"2-2"' })])
      for (const each of times.toSorted((a, b) => a.at - b.at)) service.handle(requests(), each)
      service.handle(read, { start: 200, at: 201, end: 202 })
      assert.deepEqual(service.check(), [])
      const reads = service.exchanges.filter(({ request }) => request === read)
      Object.assign(random.pick(reads), { json: { phone: '3' } })
      assert.match(service.check()[0] ?? '', /no state explains/)
    }
  })
})
