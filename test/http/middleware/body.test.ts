import { describe, expect, it, vi } from 'vitest'
import {
  admin,
  type CallOptions,
  createV1,
  newAccess,
  newEmail,
  refused,
  summary,
  updateAccess,
  useStore,
  v1User,
} from '../../support/api.ts'
import { DROP_BODY_MS } from '../../../src/http/middleware/body.ts'

const MAX_BYTES = 65_536

const store = useStore({ fields: ['deep'] })

/** Sends a v1 create whose body is not converted to JSON. */
function create(body: string | Uint8Array | ReadableStream, options: CallOptions = {}) {
  return createV1(store, body, options)
}

function withType(type: string, body: string = JSON.stringify(v1User())) {
  return create(body, { headers: { 'Content-Type': type } })
}

/** Returns a valid body of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const body = JSON.stringify(v1User({ ignored: '' }))
  return body.replace('"ignored":""', `"ignored":"${'x'.repeat(bytes - body.length)}"`)
}

/** Returns the text as chunks without a declared length. */
function streamOf(text: string, chunkSize: number): ReadableStream {
  const bytes = new TextEncoder().encode(text)
  let offset = 0
  return new ReadableStream({
    pull(controller) {
      if (offset < bytes.length) controller.enqueue(bytes.slice(offset, (offset += chunkSize)))
      else controller.close()
    },
  })
}

function declaring(bytes: number): CallOptions {
  return { headers: { 'Content-Length': String(bytes) } }
}

describe('The media type of a body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; charset=utf-8',
    'application/json;',
    'application/json; charset=iso-8859-1; x=y',
    '  application/json  ',
  ])('is accepted as JSON for %j', async (type) => {
    expect(summary(await withType(type))).toBe('201')
    const access = await newAccess(store)
    const body = JSON.stringify({ status: 'without_access' })
    const updated = await updateAccess(store, access.id, body, { headers: { 'Content-Type': type } })
    expect(updated.json.status).toBe('without_access')
  })

  it.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application',
    'application/json, text/plain',
    'text/plain; application/json',
    '',
  ])('is rejected with 415 for %j', async (type) => {
    const answer = await withType(type)
    expect(summary(answer)).toBe('415 unsupported_media_type')
    expect(answer.json.type).toBe('invalid_request')
    expect(answer.json).not.toHaveProperty('details')
  })

  it('is rejected with 415 for a body of one byte, with and without a declared length', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    expect(summary(await create('x', { headers: { ...headers, 'Content-Length': '1' } }))).toMatch(/^415/)
    expect(summary(await create(streamOf('x', 1), { headers }))).toMatch(/^415/)
  })

  it('is ignored when the body is empty', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    expect(summary(await create('', { headers }))).toBe('400 malformed_body: body')
    expect(summary(await create(streamOf('', 1), { headers }))).toBe('400 malformed_body: body')
    expect(summary(await create('', { headers: { ...headers, 'Content-Length': '0' } }))).toBe(
      '400 malformed_body: body',
    )
    const access = await newAccess(store)
    expect(summary(await updateAccess(store, access.id, '', { headers }))).toBe('400 malformed_body: body')
  })

  it.each(['gzip', 'identity', 'br', 'x'])('is rejected with 415 for the Content-Encoding %s', async (encoding) => {
    const headers = { 'Content-Encoding': encoding }
    expect(summary(await create(JSON.stringify(v1User()), { headers }))).toBe('415 unsupported_media_type')
    expect(summary(await create('', { headers }))).toBe('415 unsupported_media_type')
  })
})

describe('The size of a body', () => {
  it.each([
    ['with a declared length', (body: string) => create(body, declaring(body.length))],
    ['in one piece', (body: string) => create(body)],
    ['in chunks of 1,000 bytes', (body: string) => create(streamOf(body, 1000))],
  ])('is accepted up to 65,536 bytes %s', async (_, send) => {
    expect(summary(await send(bodyOf(MAX_BYTES)))).toBe('201')
    const answer = await send(bodyOf(MAX_BYTES + 1))
    expect(summary(answer)).toBe('413 payload_too_large')
    expect(answer.json.type).toBe('invalid_request')
    expect(answer.json).not.toHaveProperty('details')
  })

  it('is counted in bytes, not in characters', async () => {
    const body = JSON.stringify(v1User({ ignored: 'é'.repeat(MAX_BYTES / 2) }))
    expect(summary(await create(body))).toBe('413 payload_too_large')
  })

  it.each([
    ['a million bytes', 1_000_000, 65_536],
    ['is rejected with 413 for a stream of %s', 3_000_000, 10_000],
  ])('answers 413 for a stream of %s', async (_, size, chunkSize) => {
    expect(summary(await create(streamOf('x'.repeat(size), chunkSize)))).toBe('413 payload_too_large')
  })

  it('does not depend on how many chunks the body arrives in', async () => {
    const body = v1User({ name: '👩‍👩‍👧 é' })
    expect((await create(streamOf(JSON.stringify(body), 1))).json.name).toBe(body.name)
  })
})

describe('A body that does not parse', () => {
  it.each([
    ['empty', ''],
    ['white space', ' \n'],
    ['cut off', '{"name":"A"'],
    ['a word', 'name'],
    ['single quotes', "{'name':'A'}"],
    ['a trailing comma', '{"name":"A",}'],
    ['a comment', '{/**/}'],
    ['two objects', '{}{}'],
    ['NaN', '{"name":NaN}'],
    ['a form', 'name=A&last_name=L'],
    ['a raw line break in a string', '{"name":"a\nb"}'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a list of objects', '[{"name":"A"}]'],
    ['a string', '"{}"'],
    ['a number', '1'],
    ['a boolean', 'true'],
    ['a byte order mark before an object', '\ufeff{}'],
  ])('returns 400 malformed_body for %s', async (_, body) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ type: 'invalid_request', code: 'malformed_body' })
    expect(answer.json.details).toEqual({ field: 'body', explanation: expect.any(String) })
    const access = await newAccess(store)
    expect(summary(await updateAccess(store, access.id, body))).toBe('400 malformed_body: body')
  })

  it.each([
    ['a lone continuation byte', [0x80]],
    ['a Latin-1 letter', [0xe9]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['more than U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a cut sequence', [0xf0, 0x9f, 0x98]],
  ])('returns 400 malformed_body for %s in a string', async (_, bytes) => {
    const [before = '', after = ''] = JSON.stringify(v1User({ name: '?' })).split('?')
    const text = new TextEncoder()
    const body = new Uint8Array([...text.encode(before), ...bytes, ...text.encode(after)])
    expect(summary(await create(body))).toBe('400 malformed_body: body')
  })

  it.each([
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['UTF-16 without a mark', [0x7b, 0x00, 0x7d, 0x00]],
  ])('returns 400 malformed_body for %s', async (_, bytes) => {
    expect(summary(await create(new Uint8Array(bytes)))).toBe('400 malformed_body: body')
  })

  it.each([
    ['PATCH', ''],
    ['POST', '/tokens/revoke_all'],
    ['POST', '/tokens/2/rotate'],
    ['PATCH', '/tokens/2'],
    ['PUT', '/custom_fields/raw'],
    ['PATCH', '/products/2'],
    ['PATCH', '/webhook_endpoints/2'],
    ['POST', '/webhook_endpoints/2/rotate_secret'],
    ['POST', '/webhook_endpoints/2/enable'],
    ['POST', '/webhook_endpoints/2/test'],
    ['POST', '/webhook_endpoints/2/deliveries/2/redeliver'],
  ])('returns 400 even when the route accepts an omitted body: %s /stores/…%s', async (method, path) => {
    const answer = await admin(method, `/stores/${store.id}${path}`, new Uint8Array([0xff]))
    expect(summary(answer)).toBe('400 malformed_body: body')
  })

  it('returns 400 malformed_body when it is missing together with its media type', async () => {
    expect(summary(await admin('POST', '/stores'))).toBe('400 malformed_body: body')
    const access = await newAccess(store)
    expect(summary(await updateAccess(store, access.id, undefined))).toBe('400 malformed_body: body')
  })
})

describe('A body that parses', () => {
  it('is accepted with white space around it', async () => {
    expect(summary(await create(` \r\n\t${JSON.stringify(v1User())}\n`))).toBe('201')
  })

  it('uses the last value of a repeated key', async () => {
    const email = newEmail()
    const { json } = await create(`{"name":5,"last_name":"L","email":"${email}","name":"First","name":"Last"}`)
    expect(json.name).toBe('Last')
    const answer = await create(`{"name":"First","last_name":"L","email":"${newEmail()}","name":null}`)
    expect(summary(answer)).toBe('400 missing_parameter: name')
  })

  it('is accepted with escaped letters in keys and values', async () => {
    const { json } = await create(`{"\\u006eame":"\\u00e9\\ud83d\\ude00","last_name":"L","email":"${newEmail()}"}`)
    expect(json.name).toBe('é😀')
  })
})

describe('A value with 30,000 levels of nesting', () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const deepObject = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
  const field = (name: string, json: string) => JSON.stringify(v1User({ [name]: '?' })).replace('"?"', json)

  it.each(['name', 'email', 'phone', 'language', 'custom_fields', 'password'])(
    'returns 422 in the field %s',
    async (name) => {
      const answer = await create(field(name, deep))
      expect(summary(answer)).toBe(`422 invalid_parameter: ${name}`)
      expect(refused(answer)).toEqual({ [name]: name === 'password' ? '[redacted]' : '['.repeat(256) })
    },
  )

  it.each([
    ['lists', deep, '['.repeat(256)],
    ['objects', deepObject, '{"a":'.repeat(60).slice(0, 256)],
  ])('returns 422 when %s are nested in a custom field', async (_, json, echoed) => {
    const answer = await create(field('custom_fields', `{"deep":${json}}`))
    expect(summary(answer)).toBe('422 invalid_parameter: custom_fields.deep')
    expect(refused(answer)).toEqual({ 'custom_fields.deep': echoed })
  })

  it.each([
    ['lists', deep],
    ['objects', deepObject],
  ])('is ignored when %s are nested in an unknown field, with an idempotency key too', async (_, json) => {
    expect(summary(await create(field('unknown', json)))).toBe('201')
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    expect(summary(await create(field('unknown', json), { headers }))).toBe('201')
  })

  it('returns 400 when it is the whole body', async () => {
    expect(summary(await create(deep))).toBe('400 malformed_body: body')
    expect(summary(await create(deepObject))).toBe('400 missing_parameter: name')
  })

  it('returns 422 in the operator API and in an update', async () => {
    const answer = await admin('POST', `/stores/${store.id}/tokens`, `{"name":"T","scopes":${deep}}`)
    expect(answer.status).toBe(422)
    const access = await newAccess(store)
    expect(summary(await updateAccess(store, access.id, `{"status":${deep}}`))).toBe('422 invalid_parameter: status')
  })
})

describe('A body that is rejected before it is read', () => {
  const exhausted = { TOKEN_LIMITER: { limit: () => Promise.resolve({ success: false }) } }

  it.each<[string, CallOptions]>([
    ['401 missing_token', { token: undefined }],
    ['429 rate_limited', { bindings: exhausted }],
  ])('is read to its end for %s, so that the client sees the response', async (outcome, options) => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        if (sent === 300) return controller.close()
        sent++
        controller.enqueue(new Uint8Array(1000))
      },
    })
    expect(summary(await create(body, options))).toBe(outcome)
    expect(sent).toBe(300)
  })

  it('ends before the time of the request, or a slow upload would write an event among much newer ones', async () => {
    const [begin, end] = [Date.now(), Date.now() + 600_000]
    vi.useFakeTimers({ now: begin, toFake: ['Date'] })
    const chunks = [' ', JSON.stringify(v1User())]
    const body = new ReadableStream({
      pull(controller) {
        // The first chunk is there when the request begins.
        if (chunks.length === 1) vi.setSystemTime(end)
        controller.enqueue(new TextEncoder().encode(chunks.shift()))
        if (chunks.length === 0) controller.close()
      },
    })
    const { json } = await create(body).finally(() => vi.useRealTimers())
    expect(json.created_at).toBe(new Date(end).toISOString())
  })

  it('does not delay the response forever if the client never sends it', async () => {
    const start = globalThis.setTimeout
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation((act, ms, ...values) => {
      return start(act, ms === DROP_BODY_MS ? 0 : ms, ...values)
    })
    expect(summary(await create(new ReadableStream(), { token: undefined }))).toBe('401 missing_token')
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(DROP_BODY_MS)
    timers.mockRestore()
  })
})
