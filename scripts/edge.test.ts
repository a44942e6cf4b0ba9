/** What scripts/edge/ does to requests and responses, in front of a server that shows what has reached it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type Edge, startEdge } from './edge/edge.ts'

type Respond = (response: ServerResponse, request: IncomingMessage) => void

let respond: Respond
let reached: IncomingMessage[] = []
const worker = createServer((request, response) => {
  reached.push(request)
  respond(response, request)
})
let edge: Edge

before(async () => {
  await once(worker.listen(0, 'localhost'), 'listening')
  const address = worker.address()
  edge = await startEdge({ port: 0, upstream: typeof address === 'object' && address !== null ? address.port : 0 })
})

after(async () => {
  await edge.stop()
  worker.closeAllConnections()
  worker.close()
})

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

/** `fetch` would decompress the body by itself. */
async function ask({ method = 'GET', path = '/', headers = {}, body }: Sent = {}, as: Respond = json()) {
  respond = as
  reached = []
  const sent = send({ host: 'localhost', port: edge.port, agent: false, method, path, headers })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  assert.ok(response)
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

const json =
  (headers: Record<string, string> = {}, { status = 200, body = `{"name":"${'a'.repeat(60)}"}` } = {}): Respond =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)

const GZIP = { 'accept-encoding': 'gzip' }
const TAG = { ETag: '"6-6"' }

describe('A response to a client that accepts compression', () => {
  for (const [accept, coding, unpack] of [
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['gzip, br', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
    ['*', 'zstd', zstdDecompressSync],
  ] as const) {
    it(`is in ${coding} for ${accept}, with a weak tag and without its length`, async () => {
      const { headers, body } = await ask({ headers: { 'accept-encoding': accept } }, json(TAG))
      assert.equal(headers['content-encoding'], coding)
      assert.deepEqual(
        [headers.etag, headers.vary, headers['content-length']],
        ['W/"6-6"', 'accept-encoding', undefined],
      )
      assert.match(unpack(body).toString(), /^\{"name":"a{60}"\}$/)
    })
  }

  for (const [what, as, sent] of [
    ['is not accepted', json(TAG), { headers: { 'accept-encoding': 'gzip;q=0' } }],
    ['is forbidden', json({ ...TAG, 'Cache-Control': 'no-store, no-transform' }), { headers: GZIP }],
    ['would be of a small body', json(TAG, { body: 'a'.repeat(47) }), { headers: GZIP }],
    ['would be of a 201', json(TAG, { status: 201 }), { headers: GZIP }],
    ['would be of a CSV file', json({ ...TAG, 'Content-Type': 'text/csv' }), { headers: GZIP }],
    ['would be of no body', json({ ...TAG, 'Content-Type': 'text/html' }), { headers: GZIP, method: 'HEAD' }],
    ['would be of a 304', json({ ...TAG, 'Content-Type': 'text/html' }, { status: 304, body: '' }), { headers: GZIP }],
  ] satisfies [string, Respond, Sent][]) {
    it(`is as the Worker has sent it if compression ${what}`, async () => {
      const { headers } = await ask(sent, as)
      assert.deepEqual([headers.etag, headers['content-encoding']], ['"6-6"', undefined])
    })
  }

  it('loses a tag without quotes', async () => {
    const { headers } = await ask({ headers: GZIP }, json({ ETag: '6-6' }))
    assert.deepEqual([headers.etag, headers['content-encoding']], [undefined, 'gzip'])
  })
})

describe('A request', () => {
  it('reaches the Worker with the headers of the edge, whatever the client has sent for them', async () => {
    const own = { 'cf-ray': 'forged', 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https', 'a.b': '1' }
    const { headers } = await ask({
      path: '/v1?a=%2F',
      headers: { ...own, connection: 'close', 'if-match': ['"1"', '"2"'] },
    })
    const [request] = reached
    assert.equal(request?.url, '/v1?a=%2F')
    const seen = request.headers
    assert.match(String(seen['cf-ray']), /^[0-9a-f]{16}$/)
    assert.equal(headers['cf-ray'], `${String(seen['cf-ray'])}-LIS`)
    assert.equal(seen['x-forwarded-for'], `198.51.100.7,${String(seen['cf-connecting-ip'])}`)
    assert.deepEqual([seen['x-forwarded-proto'], seen['a.b'], seen.connection], ['http', undefined, 'keep-alive'])
    assert.deepEqual(request.headersDistinct['if-match'], ['"1"', '"2"'])
    assert.equal(seen['cdn-loop'], 'cloudflare; loops=1')
  })

  it('reaches it with its body, also if it waits to be asked for it', async () => {
    for (const headers of [{}, { expect: '100-continue' }]) {
      const echo: Respond = (response, request) => request.pipe(response)
      const { body } = await ask({ method: 'POST', headers, body: 'a'.repeat(100_000) }, echo)
      assert.equal(body.length, 100_000)
      assert.equal(reached[0]?.headers.expect, undefined)
    }
  })

  for (const [what, sent, status, text] of [
    ['of Python without a name', { headers: { 'user-agent': 'Python-urllib/3.11' } }, 403, 'error code: 1010'],
    ['with a long URL', { path: `/${'a'.repeat(16_384)}` }, 414, '414'],
    ['with a long body', { method: 'POST', headers: { 'content-length': '100000001' } }, 413, '413'],
  ] satisfies [string, Sent, number, string][]) {
    it(`${what} does not reach it`, async () => {
      const { status: answered, body } = await ask(sent)
      assert.equal(answered, status)
      assert.match(body.toString(), new RegExp(text))
      assert.equal(reached.length, 0)
    })
  }
})

describe('A response', () => {
  it('has the headers of the edge', async () => {
    const { headers } = await ask({}, json({ Server: 'workerd', 'X-Accel-Buffering': 'no', 'X-Request-Id': 'r' }))
    assert.deepEqual(
      [headers.server, headers['x-accel-buffering'], headers['x-request-id']],
      ['cloudflare', undefined, 'r'],
    )
    assert.equal(headers['cf-cache-status'], 'DYNAMIC')
  })

  it('with 502 or 504 loses its body', async () => {
    for (const status of [502, 504]) {
      const { status: answered, body } = await ask({}, json({}, { status }))
      assert.deepEqual([answered, body.toString()], [status, `error code: ${status}`])
    }
  })

  it('is a 520 of the edge if the Worker sends none', async () => {
    const { status, headers, body } = await ask({}, (response) => response.destroy())
    assert.deepEqual([status, headers.server, body.toString()], [520, 'cloudflare', 'error code: 520'])
  })

  it('that ends too early ends too early for the client', async () => {
    // The edge waits for 48 bytes before it decides whether to compress.
    for (const [type, size] of [
      ['text/csv', 5] as const,
      ['application/json', 5] as const,
      ['application/json', 99] as const,
    ]) {
      const cut: Respond = (response) =>
        response.writeHead(200, { 'Content-Type': type }).write('a'.repeat(size), () => response.destroy())
      await assert.rejects(ask({ headers: GZIP }, cut), { code: 'ECONNRESET' }, `${type} of ${size} bytes`)
    }
  })

  it('is no longer made when the client has gone', async () => {
    const gone = new Promise<void>((resolve) => {
      respond = (response) => {
        response.on('close', resolve)
        sent.destroy()
      }
    })
    const sent = send({ host: 'localhost', port: edge.port, agent: false }).on('error', () => {})
    sent.end()
    await gone
  })

  it('may be of no use any more, whenever the client goes', async () => {
    for (let tick = 0; tick < 40; tick++) {
      const accept = ['zstd', 'br', 'gzip'][tick % 3]
      const headers = { 'accept-encoding': accept }
      const sent = send({ host: 'localhost', port: edge.port, agent: false, headers }).on('error', () => {})
      respond = (response) => {
        json()(response, response.req)
        let left = tick
        const leave = () => (left-- > 0 ? void setImmediate(leave) : sent.destroy())
        leave()
      }
      sent.end()
      await new Promise((resolve) => sent.on('close', resolve))
    }
    assert.equal((await ask()).status, 200)
  })
})

describe('A page', () => {
  const PAGE = `<html><head><title>a@example.com</title></head><body><p title="a@example.com">a@example.com</p>
<script>a@example.com</script><!--email_off-->a@example.com<!--/email_off--></body></html>`
  const page = (caching: string): Respond =>
    json({ 'Content-Type': 'text/html', 'Cache-Control': caching }, { body: PAGE })

  it('loses its email addresses, and gets a script', async () => {
    const { body } = await ask({}, page('no-store'))
    const text = body.toString()
    assert.equal(text.match(/a@example\.com/g)?.length, 4)
    assert.match(text, /<p title="a@example\.com"><a href="\/cdn-cgi\/l\/email-protection"/)
    assert.match(text, /beacon\.min\.js"><\/script><\/body><\/html>$/)
  })

  it('is as it was if it forbids changes', async () => {
    assert.equal((await ask({ headers: GZIP }, page('max-age=0, no-transform'))).body.toString(), PAGE)
  })
})

describe('An answer of the edge', () => {
  for (const [name, status, type, text] of [
    ['challenge', 403, 'text/html', 'Just a moment'],
    ['block', 403, 'text/html', 'Attention Required'],
    ['1015', 429, 'text/html', '1015'],
    ['1027', 429, 'text/html', '1027'],
    ['1101', 500, 'text/html', '1101'],
    ['1102', 503, 'text/html', '1102'],
    ['520', 520, 'text/plain', 'error code: 520'],
  ] as const) {
    it(`is ${name} for a request that wants it, with a number to quote`, async () => {
      const { headers, ...answer } = await ask({ headers: { 'edge-answer': name } })
      assert.equal(answer.status, status)
      assert.ok(headers['content-type']?.startsWith(type))
      assert.match(answer.body.toString(), new RegExp(text))
      assert.match(String(headers['cf-ray']), /^[0-9a-f]{16}-LIS$/)
      assert.equal(headers['cf-mitigated'], name === 'challenge' ? 'challenge' : undefined)
      assert.equal(headers['retry-after'], name === '1015' ? '30' : undefined)
      assert.equal(reached.length, 0)
    })
  }

  it('is JSON for a client that wants JSON first, except a challenge', async () => {
    const wants = (name: string, accept: string) => ask({ headers: { 'edge-answer': name, accept } })
    const { headers, body } = await wants('1015', 'application/json, text/plain, */*')
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(Object.keys(JSON.parse(body.toString())).slice(0, 3), ['type', 'title', 'status'])
    for (const [name, accept] of [['1015', '*/*'] as const, ['challenge', 'application/json'] as const]) {
      assert.match((await wants(name, accept)).headers['content-type'] ?? '', /^text\/html/)
    }
  })

  it('that does not exist is 400, with the names of those that do', async () => {
    const { status, body } = await ask({ headers: { 'edge-answer': '1016' } })
    assert.equal(status, 400)
    assert.match(body.toString(), /\b1015\b.*\bchallenge\b/)
  })
})
