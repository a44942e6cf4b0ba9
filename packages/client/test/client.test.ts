/** The client against a service that fails in every way, on loopback. With `EDGE=1` the edge of Cloudflare is between them. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import {
  createRegistrar,
  RegistrarError,
  type RegistrarOptions,
  type Retry,
  signWebhook,
  verifyWebhook,
  type WebhookEvent,
} from 'registrar-client'
import manifest from 'registrar-client/package.json' with { type: 'json' }
import { Webhook } from 'standardwebhooks'
import { type Edge, startEdge } from '../../../scripts/edge/edge.ts'
import document from '../../../src/assets/openapi.json' with { type: 'json' }

interface Received {
  method: string
  url: string
  key: string | undefined
  authorization: string | undefined
  agent: string | undefined
  body: string
}

type Answer = 'cut' | 'silence' | 'half' | { status: number; body?: unknown; headers?: Record<string, string> }

let server: Server
let edge: Edge | undefined
/** The edge answers for a service that has not answered. */
const NO_RESPONSE = process.env['EDGE'] === '1' ? 'unreadable' : 'no_response'
let url = ''
let received: Received[] = []
/** Each test has its own: a request that an earlier one has aborted may arrive late. */
let token = ''
/** The answers to come. The last one is repeated. */
let answers: Answer[] = []

before(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  if (process.env['EDGE'] === '1') edge = await startEdge({ port: 0, upstream: port })
  url = `http://localhost:${edge?.port ?? port}`
})
let tests = 0
beforeEach(() => {
  received = []
  token = `rgs_${tests++}_`
})
after(async () => {
  await edge?.stop()
  server.closeAllConnections()
  server.close()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = request
  if (headers.authorization?.startsWith(`Bearer ${token}`) !== true) return void request.socket.destroy()
  const key = headers['x-idempotency-key']
  received.push({
    method,
    url: request.url ?? '',
    key: typeof key === 'string' ? key : undefined,
    authorization: headers.authorization,
    agent: headers['user-agent'],
    body: await text(request),
  })
  const next = answers.length > 1 ? answers.shift() : answers[0]
  if (next === undefined || next === 'cut') return void request.socket.destroy()
  if (next === 'silence') return
  if (next === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"id":')
    return void setImmediate().then(() => request.socket.destroy())
  }
  response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers })
  response.end(next.body === undefined ? '' : typeof next.body === 'string' ? next.body : JSON.stringify(next.body))
}

const OK = { status: 200, body: { id: '4', name: 'Grace' } }
const DOWN = { status: 503, body: { code: 'service_unavailable', type: 'service_unavailable', message: 'Down.' } }
const path = { store_id: 'shop' }

function client(options: Partial<RegistrarOptions> = {}) {
  return createRegistrar({ url, token, backoffMs: 1, ...options })
}

function createUser(options: Partial<RegistrarOptions> = {}, headers: Record<string, string> = {}) {
  return client(options).POST('/v1/stores/{store_id}/users', {
    params: { path },
    body: { name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' },
    headers,
  })
}

function readUser(options: Partial<RegistrarOptions> = {}, init: { signal?: AbortSignal } = {}) {
  return client(options).GET('/v1/stores/{store_id}/users/{id}', { params: { path: { ...path, id: '4' } }, ...init })
}

/** The error of a call that must fail with one. */
async function errorOf(call: Promise<unknown>): Promise<RegistrarError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof RegistrarError, String(error))
  return error
}

describe('A request', () => {
  it('has the token and returns the body', async () => {
    answers = [{ ...OK, headers: { etag: '"4-1"' } }]
    const { data, response } = await readUser()
    assert.equal(data.name, 'Grace')
    assert.equal(response.headers.get('ETag'), '"4-1"')
    assert.equal(received[0]?.authorization, `Bearer ${token}`)
    assert.equal(received[0]?.url, '/v1/stores/shop/users/4')
  })

  it('is refused with an id that would make another operation of it', async () => {
    answers = [OK]
    for (const id of ['.', '..']) {
      const history = client().GET('/v1/stores/{store_id}/users/{id}/events', { params: { path: { ...path, id } } })
      await assert.rejects(history, RangeError)
      const params = { path: { store_id: id } }
      await assert.rejects(client().list('/v1/stores/{store_id}/users', { params }).next(), RangeError)
      assert.throws(() => client().followEvents({ store: id, onPage: () => {} }), RangeError)
    }
    assert.equal(received.length, 0)
    await client().GET('/v1/stores/{store_id}/users/{id}', { params: { path: { ...path, id: '...%2e%2e/..' } } })
    assert.equal(received[0]?.url, '/v1/stores/shop/users/...%252e%252e%2F..')
  })

  it('is refused with an empty If-Match, which a server would drop', async () => {
    answers = [OK]
    const header = { 'If-Match': '' }
    const change = client().PATCH('/v1/stores/{store_id}/users/{id}', {
      params: { path: { ...path, id: '4' }, header },
      body: { name: 'Ada' },
    })
    await assert.rejects(change, RangeError)
    await assert.rejects(client().fetch('/v1/stores/shop/users/4', { method: 'DELETE', headers: header }), RangeError)
    assert.equal(received.length, 0)
  })

  it('that Cloudflare rejects has the number of Cloudflare in its error', async () => {
    const ray = { 'cf-ray': '230b030023ae2822-LIS' }
    answers = [{ status: 403, body: 'error code: 1010', headers: { 'content-type': 'text/plain', ...ray } }]
    const blocked = await errorOf(readUser())
    assert.deepEqual([blocked.code, blocked.status, blocked.requestId], ['unreadable', 403, undefined])
    assert.match(blocked.ray ?? '', /^[0-9a-f]{16}-LIS$/)
  })

  it('that Cloudflare rejects as JSON has its title in its error', async () => {
    const type = 'https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-1xxx-errors/'
    const body = { type, title: 'Error 1010: Access denied', status: 403, error_code: 1010, cloudflare_error: true }
    answers = [{ status: 403, body, headers: { 'content-type': 'application/json; charset=utf-8' } }]
    const { code, message } = await errorOf(readUser())
    assert.deepEqual({ code, message }, { code: 'unreadable', message: '403 Error 1010: Access denied' })
  })

  it('returns undefined for a 204', async () => {
    answers = [{ status: 204 }]
    const { data } = await client().DELETE('/v1/stores/{store_id}/users/{id}', {
      params: { path: { ...path, id: '4' } },
    })
    assert.equal(data, undefined)
  })

  it('follows no redirect, which could carry the token to another host', async () => {
    answers = [{ status: 302, headers: { location: 'https://example.com/' } }]
    assert.equal((await errorOf(readUser())).status, 302)
    assert.equal(received.length, 1)
  })

  it('asks a function for the token of each request', async () => {
    answers = [OK]
    const tokens = [`${token}1`, `${token}2`]
    const registrar = client({ token: () => tokens.shift() ?? null })
    await registrar.fetch('/v1/token')
    await registrar.fetch('/v1/token')
    assert.deepEqual(
      received.map(({ authorization }) => authorization),
      [`Bearer ${token}1`, `Bearer ${token}2`],
    )
  })

  it('waits for a token that is not there yet, also before the events of a store are followed', async () => {
    answers = [{ status: 200, body: { data: [], next: null, cursor: '5' } }]
    const registrar = client({ token: async () => Promise.resolve(token) })
    await registrar.fetch('/v1/token')
    const stop = new AbortController()
    await registrar.followEvents({ store: 'shop', signal: stop.signal, onPage: () => stop.abort() })
    assert.deepEqual(
      received.map(({ authorization, url: path }) => [authorization, path]),
      [
        [`Bearer ${token}`, '/v1/token'],
        [`Bearer ${token}`, '/v1/stores/shop/events?limit=100'],
      ],
    )
  })

  it('is not sent if there is no token to be had, or it is no string', async () => {
    answers = [OK]
    const failing = client({ token: () => Promise.reject(new Error('the vault is closed')) })
    await assert.rejects(failing.fetch('/v1/token'), { message: 'the vault is closed' })
    const wrong: object = { token: () => ({ secret: token }) }
    await assert.rejects(client(wrong).fetch('/v1/token'), { name: 'TypeError', message: /must be a string/ })
    assert.equal(received.length, 0)
  })

  it('keeps the path of the url', async () => {
    answers = [{ status: 200, body: { data: [], next: null, cursor: '5' } }]
    for (const base of [`${url}/gateway`, `${url}/gateway/`]) {
      received = []
      const registrar = client({ url: base })
      await registrar.GET('/v1/token')
      await registrar.fetch('/v1/token')
      await registrar.list('/v1/stores/{store_id}/users', { params: { path } }).next()
      const stop = new AbortController()
      await registrar.followEvents({ store: 'shop', signal: stop.signal, onPage: () => stop.abort() })
      assert.deepEqual(
        received.map((request) => request.url),
        [
          '/gateway/v1/token',
          '/gateway/v1/token',
          '/gateway/v1/stores/shop/users?limit=100',
          '/gateway/v1/stores/shop/events?limit=100',
        ],
      )
    }
  })

  it('is refused with a path that leads to another host or out of the url, which would get the token', async () => {
    const fetch = () => Promise.reject(new Error('sent'))
    const registrar = client({ url: 'https://registrar.example.com/gateway', fetch })
    for (const wrong of ['.evil.example/v1/token', 'v1/token', '/../v1/token']) {
      await assert.rejects(registrar.fetch(wrong), RangeError, wrong)
      // @ts-expect-error -- JavaScript has no types that would show it.
      await assert.rejects(registrar.GET(wrong), RangeError, wrong)
    }
    const rooted = client({ url: 'https://registrar.example.com', fetch })
    await assert.rejects(rooted.fetch('.evil.example/v1/token'), RangeError)
  })

  it('is refused with a url that has more than a path, which is not shown', () => {
    for (const more of ['/?key=rgs_1', '/#rgs_1']) {
      assert.throws(() => createRegistrar({ url: url + more }), { name: 'RangeError', message: /^(?!.*rgs_1)/ })
    }
    assert.throws(() => createRegistrar({ url: 'https://user:rgs_1@example.com' }), { message: /^(?!.*rgs_1)/ })
  })

  it('names the client and its version, unless the caller names another program', async () => {
    answers = [OK]
    await readUser()
    await client().fetch('/v1/token', { headers: { 'User-Agent': 'shop/1' } })
    assert.deepEqual(
      received.map(({ agent }) => agent),
      [`registrar-client/${manifest.version}`, 'shop/1'],
    )
  })

  it('is refused over plain http to another machine, before anything is sent', () => {
    assert.throws(() => createRegistrar({ url: 'http://registrar.example.com' }), RangeError)
    assert.throws(() => createRegistrar({ url: 'registrar.example.com' }), RangeError)
  })
})

describe('An error', () => {
  it('has what the service says', async () => {
    answers = [
      {
        status: 422,
        headers: { 'x-existing-id': '7', 'x-request-id': 'a-request' },
        body: {
          type: 'validation_error',
          code: 'email_taken',
          message: 'Taken.',
          details: [{ field: 'email', value: 'a@example.com', explanation: 'exists' }],
        },
      },
    ]
    const { status, code, message, details, existingId, requestId, isTemporary } = await errorOf(createUser())
    assert.deepEqual(
      [status, code, message, existingId, requestId, isTemporary],
      [422, 'email_taken', 'Taken.', '7', 'a-request', false],
    )
    assert.deepEqual(details, [{ field: 'email', value: 'a@example.com', explanation: 'exists' }])
    assert.equal(received.length, 1)
  })

  it('has the one field of a 400 as a list', async () => {
    answers = [
      { status: 400, body: { code: 'missing_parameter', details: { field: 'email', explanation: 'required' } } },
    ]
    assert.deepEqual((await errorOf(createUser())).details, [{ field: 'email', explanation: 'required' }])
  })

  it('has the code not_found for the 404 of the update, which has none', async () => {
    answers = [{ status: 404, body: { type: 'not_found', message: 'No.' } }]
    const call = client().PUT('/v1/stores/{store_id}/product_accesses/{id}', {
      params: { path: { ...path, id: '4' } },
      body: { status: 'with_access', access_due_date: null },
    })
    assert.equal((await errorOf(call)).code, 'not_found')
  })

  it('says no_response, timeout or unreadable if there is no response of the service', async () => {
    answers = ['cut']
    assert.equal((await errorOf(readUser({ deadlineMs: 0 }))).code, NO_RESPONSE)
    answers = ['silence']
    assert.equal((await errorOf(readUser({ deadlineMs: 0, timeoutMs: 50 }))).code, 'timeout')
    answers = [{ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }]
    assert.equal((await errorOf(readUser({ deadlineMs: 0 }))).code, 'unreadable')
  })
})

describe('An error without a response', () => {
  it('says what failed', async () => {
    const closed = createServer()
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
    const address = closed.address()
    const port = typeof address === 'object' ? address?.port : undefined
    await new Promise((done) => closed.close(done))
    for (const host of ['127.0.0.1', 'localhost']) {
      const { message } = await errorOf(readUser({ url: `http://${host}:${port}`, deadlineMs: 0 }))
      assert.match(message, /^fetch failed: .*ECONNREFUSED/)
    }
    const odd = { cause: 'because' }
    const other = await errorOf(readUser({ fetch: () => Promise.reject(new Error('odd', odd)), deadlineMs: 0 }))
    assert.equal(other.message, 'odd: because')
  })

  it('is unreadable for JSON that is no object', async () => {
    for (const body of ['[]', 'null', '"busy"', '7']) {
      answers = [{ status: 200, body }]
      assert.equal((await errorOf(readUser({ deadlineMs: 0 }))).code, 'unreadable', body)
      answers = [{ status: 502, body }, OK]
      assert.equal((await readUser()).data.id, '4', body)
    }
  })
})

describe('Retries', () => {
  it('end with the success, with the same key and body in each attempt', async () => {
    answers = [
      'cut',
      'half',
      DOWN,
      { status: 500 },
      { status: 200, body: '<html>' },
      { status: 429 },
      { status: 408, body: '' },
      { status: 425, body: '' },
      { ...OK, status: 201 },
    ]
    const { data } = await createUser()
    assert.equal(data.id, '4')
    assert.equal(received.length, 9)
    assert.equal(new Set(received.map(({ body }) => body)).size, 1)
    const keys = new Set(received.map(({ key }) => key))
    assert.equal(keys.size, 1)
    assert.match([...keys][0] ?? '', /^[0-9a-f-]{36}$/)
  })

  it('keep the key that was given', async () => {
    answers = [DOWN, { ...OK, status: 201 }]
    await createUser({}, { 'X-Idempotency-Key': 'order-1001' })
    assert.deepEqual(
      received.map(({ key }) => key),
      ['order-1001', 'order-1001'],
    )
  })

  it('do not repeat a POST that could do something twice, except after a 429', async () => {
    const rotate = () => client().POST('/v1/token/rotate', {})
    for (const failure of ['cut', DOWN, { status: 408 }] satisfies Answer[]) {
      received = []
      answers = [failure]
      await errorOf(rotate())
      assert.equal(received.length, 1)
    }
    answers = [{ status: 429 }, OK]
    received = []
    await rotate()
    assert.equal(received.length, 2)
  })

  it('do not repeat a change with If-Match, which would be 412 if it was made', async () => {
    answers = ['cut']
    const call = client().PUT('/v1/stores/{store_id}/product_accesses/{id}', {
      params: { path: { ...path, id: '4' }, header: { 'If-Match': '"4-1"' } },
      body: { status: 'with_access', access_due_date: null },
    })
    assert.equal((await errorOf(call)).code, NO_RESPONSE)
    assert.equal(received.length, 1)
  })

  it('wait as long as Retry-After says, and a random time more', async () => {
    answers = [{ ...DOWN, headers: { 'retry-after': '1' } }, OK]
    const retries: Retry[] = []
    await readUser({ onRetry: (retry) => retries.push(retry), backoffMs: 500 })
    assert.equal(retries.length, 1)
    assert.ok(retries.every(({ pauseMs }) => pauseMs > 1000 && pauseMs < 1500))
  })

  it('show neither the token nor the query to onRetry', async () => {
    answers = [DOWN, OK]
    const retries: Retry[] = []
    const registrar = client({ backoffMs: 1, onRetry: (retry) => retries.push(retry) })
    await registrar.fetch('/v1/stores/shop/users?email=ada@example.com')
    assert.deepEqual(
      retries.map(({ method, url }) => [method, new URL(url).pathname, new URL(url).search]),
      [['GET', '/v1/stores/shop/users', '']],
    )
    assert.doesNotMatch(inspect(retries, { depth: null, showHidden: true }), /Bearer|rgs_|ada@/)
  })

  it('pause for a random time, of which the maximum doubles', async ({ mock }) => {
    const chances = [0.5, 0.25, 1]
    mock.method(Math, 'random', () => chances.shift())
    answers = [DOWN, DOWN, DOWN, OK]
    const pauses: number[] = []
    await readUser({ backoffMs: 16, onRetry: ({ pauseMs }) => pauses.push(pauseMs) })
    assert.deepEqual(pauses, [8, 8, 64])
  })

  it('end at the deadline with the last error, and at once if Retry-After lies beyond it', async () => {
    answers = [DOWN]
    assert.equal((await errorOf(readUser({ deadlineMs: 100 }))).code, 'service_unavailable')
    received = []
    answers = [{ status: 429, headers: { 'retry-after': '3600' } }]
    assert.equal((await errorOf(readUser())).retryAfter, 3600)
    assert.equal(received.length, 1)
  })

  it('end with the signal, during a request and during a pause', async () => {
    for (const stuck of ['silence', { status: 503, headers: { 'retry-after': '50' } }] satisfies Answer[]) {
      answers = [stuck]
      received = []
      let isPausing = false
      const stop = new AbortController()
      const call = readUser({ onRetry: () => (isPausing = true) }, { signal: stop.signal })
      const rejection = assert.rejects(call, { message: 'stopped' })
      while (stuck === 'silence' ? received.length === 0 : !isPausing) await setImmediate()
      stop.abort(new Error('stopped'))
      await rejection
    }
  })

  it('add a key to exactly the operations that take one', async () => {
    answers = [{ status: 404 }]
    const { registrar, posts } = { registrar: client(), posts: Object.entries(document.paths) }
    for (const [template, operations] of posts) {
      if (!('post' in operations)) continue
      received = []
      await errorOf(registrar.fetch(template.replaceAll(/\{\w+\}/g, '1'), { method: 'POST', body: '{}' }))
      const takesKey = JSON.stringify(operations.post).includes('#/components/parameters/X-Idempotency-Key')
      assert.equal(received[0]?.key !== undefined, takesKey, template)
    }
  })
})

describe('Lists and the feed', () => {
  const page = (ids: string[], next: string | null) => ({
    status: 200,
    body: { data: ids.map((id) => ({ id })), next, cursor: ids.at(-1) ?? '5' },
  })

  it('reads the records of all pages, one page at a time', async () => {
    answers = [page(['1', '2'], '2'), DOWN, page(['3'], null)]
    const ids: string[] = []
    for await (const user of client().list('/v1/stores/{store_id}/users', { params: { path, query: { limit: 2 } } })) {
      ids.push(user.id)
      assert.equal(received.length, ids.length < 3 ? 1 : 3)
    }
    assert.deepEqual(ids, ['1', '2', '3'])
    assert.equal(received[2]?.url, '/v1/stores/shop/users?limit=2&after=2')
  })

  it('reads no further after a break', async () => {
    answers = [page(['1'], '1')]
    for await (const _ of client().list('/v1/stores/{store_id}/users', { params: { path } })) break
    assert.equal(received.length, 1)
  })

  it('follows events through outages, and passes each page on once, with its cursor', async () => {
    answers = [page(['1', '2'], '2'), 'cut', page(['3'], null), DOWN, page([], null), page(['9'], null), page([], null)]
    const stop = new AbortController()
    const seen: [string[], string][] = []
    await client({ deadlineMs: 0 }).followEvents({
      store: 'shop',
      cursor: '0',
      type: 'user.created',
      pollMs: 1,
      signal: stop.signal,
      onPage: (events, cursor) => {
        seen.push([events.map(({ id }) => id), cursor])
        if (cursor === '9') stop.abort()
      },
    })
    // The empty page has moved the cursor on: the filter has skipped events.
    assert.deepEqual(seen, [
      [['1', '2'], '2'],
      [['3'], '3'],
      [[], '5'],
      [['9'], '9'],
    ])
    assert.equal(received[0]?.url, '/v1/stores/shop/events?type=user.created&limit=100&after=0')
    assert.equal(received.at(-1)?.url, '/v1/stores/shop/events?type=user.created&limit=100&after=5')
  })

  it('waits as long as the service asks for, even if that is beyond the deadline', async ({ mock }) => {
    const asking = (seconds: string) => ({ status: 429, headers: { 'retry-after': seconds } })
    answers = [asking('60'), asking('9999999999'), page(['1'], null)]
    const long: unknown[] = []
    const { setTimeout } = globalThis
    mock.method(globalThis, 'setTimeout', (act: () => void, ms = 0) => {
      const isLong = ms >= 60_000
      if (isLong) long.push(ms)
      return setTimeout(act, isLong ? 0 : ms)
    })
    const stop = new AbortController()
    await client().followEvents({ store: 'shop', pollMs: 1, signal: stop.signal, onPage: () => stop.abort() })
    assert.deepEqual(long, [60_000, 3_600_000])
  })

  it('begins at the newest event with its cursor, and goes on from there', async () => {
    const newest = {
      status: 200,
      body: { data: [{ id: '1' }], next: '1', cursor: '1' },
      headers: { 'X-Newest-Id': '7' },
    }
    answers = ['cut', newest, page([], null), page(['8'], null)]
    const stop = new AbortController()
    const seen: [string[], string][] = []
    const options = { store: 'shop', from: 'newest', user_id: '4', actor: 'system', pollMs: 1 } as const
    const follow = (cursor?: string) =>
      client({ deadlineMs: 0 }).followEvents({
        ...options,
        cursor,
        signal: stop.signal,
        onPage: (events, read) => {
          seen.push([events.map(({ id }) => id), read])
          if (read === '8') stop.abort()
        },
      })
    await follow()
    // The second page has the cursor 5 of a filter, and is passed on like any other.
    assert.deepEqual(seen, [
      [[], '7'],
      [[], '5'],
      [['8'], '8'],
    ])
    const events = '/v1/stores/shop/events'
    assert.deepEqual(
      received.slice(1, 3).map((request) => request.url),
      [`${events}?limit=1`, `${events}?user_id=4&actor=system&limit=100&after=7`],
    )
  })

  it('begins at a cursor that was saved, wherever it would begin without one', async () => {
    answers = [{ status: 410, body: { code: 'cursor_expired', type: 'gone' } }]
    const follow = client().followEvents({ store: 'shop', from: 'newest', cursor: '3', pollMs: 1, onPage: () => {} })
    assert.equal((await errorOf(follow)).code, 'cursor_expired')
    assert.equal(received[0]?.url, '/v1/stores/shop/events?limit=100&after=3')
  })

  it('ends if the number of the newest event is missing, instead of beginning at the oldest', async () => {
    answers = [page([], null)]
    const follow = client().followEvents({ store: 'shop', from: 'newest', pollMs: 1, onPage: () => {} })
    await assert.rejects(follow, /has no X-Newest-Id/)
  })

  it('ends the feed with what onPage throws, or with an error that does not pass', async () => {
    answers = [page(['1'], null)]
    const follow = (onPage: () => void) => client().followEvents({ store: 'shop', pollMs: 1, onPage })
    await assert.rejects(
      follow(() => {
        throw new Error('full')
      }),
      { message: 'full' },
    )
    answers = [{ status: 410, body: { code: 'cursor_expired', type: 'gone' } }]
    assert.equal((await errorOf(follow(() => {}))).code, 'cursor_expired')
  })
})

const event: WebhookEvent = {
  id: '7',
  timestamp: '2026-11-21T09:30:00.000Z',
  store_id: 'shop',
  request_id: 'a-request',
  actor: { type: 'system' },
  type: 'user.created',
  data: { user_id: '4' },
}

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = JSON.stringify({ id: '0', type: 'webhook_endpoint.test', data: { webhook_endpoint_id: '5' } })
  const signed = (at: Date) => ({
    'webhook-id': 'shop_test',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('shop_test', at, body),
  })

  const wrong = { name: 'WebhookVerificationError' }

  it('returns the event for headers of fetch and of Node', () => {
    const headers = signed(new Date())
    for (const form of [headers, new Headers(headers)]) {
      const event = verifyWebhook(body, form, secret)
      assert.equal(event.type === 'webhook_endpoint.test' && event.data.webhook_endpoint_id, '5')
    }
  })

  it('takes the bytes that arrived, whatever they are called', () => {
    const name: WebhookEvent = { ...event, actor: { type: 'access_token', id: '1', name: 'José' } }
    const { body: sent, headers } = signWebhook(name, secret)
    const bytes = new TextEncoder().encode(sent)
    for (const form of [bytes, Buffer.from(bytes), bytes.buffer]) {
      assert.deepEqual(verifyWebhook(form, headers, secret), name)
    }
    assert.throws(() => verifyWebhook(Buffer.from([0xff, ...bytes]), headers, secret), wrong)
    // A byte order mark is part of what was signed.
    assert.throws(() => verifyWebhook(Buffer.from([0xef, 0xbb, 0xbf, ...bytes]), headers, secret), wrong)
    assert.throws(() => Reflect.apply(verifyWebhook, undefined, [name, headers, secret]), {
      name: 'TypeError',
      message: /before any JSON.parse/,
    })
  })

  it('throws for another body, another secret and an old attempt', () => {
    const headers = signed(new Date())
    assert.throws(() => verifyWebhook(body.replace('5', '6'), headers, secret), wrong)
    assert.throws(() => verifyWebhook(body, headers, `whsec_${Buffer.alloc(32, 8).toString('base64')}`), wrong)
    assert.throws(() => verifyWebhook(body, signed(new Date(Date.now() - 600_000)), secret), wrong)
    assert.throws(() => verifyWebhook(body, {}, secret), wrong)
  })
})

describe('signWebhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

  it('signs an event as the service does, with one id for one event', () => {
    const { body, headers } = signWebhook(event, secret)
    assert.deepEqual(new Webhook(secret).verify(body, headers), event)
    assert.deepEqual(verifyWebhook(body, headers, secret), event)
    assert.equal(headers['webhook-id'], 'shop_7')
    assert.equal(signWebhook(event, secret, { id: 'other' }).headers['webhook-id'], 'other')
  })

  it('signs an event that is too old, for the test of a receiver', () => {
    const { body, headers } = signWebhook(event, secret, { at: new Date(Date.now() - 301_000) })
    assert.throws(() => verifyWebhook(body, headers, secret), { name: 'WebhookVerificationError' })
  })
})
