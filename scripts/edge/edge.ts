/**
 * A proxy that does to requests and responses what Cloudflare's edge is documented to do, because `wrangler dev` has no edge
 * (`npm run dev -- --edge`). Sources are pages of https://developers.cloudflare.com. TLS and HTTP/2 are no part of it, and
 * /cdn-cgi/ is not the edge's: wrangler runs the crons by it.
 */
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { answerFor } from './answers.ts'
import { type Passed, transformed } from './transform.ts'

export interface Edge {
  port: number
  stop: () => Promise<void>
}

/** workers/platform/limits: a URL, all headers, and a body on the plans Free and Pro. */
const MAX = { url: 16_384, headers: 131_072, body: 100_000_000 }
/** RFC 9110, section 7.6.1: they are about one connection. Node answers `Expect`. */
const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect)$/
/** fundamentals/reference/http-headers, "Removed response headers" */
const REMOVED = /^x-accel-(?:buffering|charset|limit-rate|redirect)$/

/** Listens on loopback; with port 0, on any port that is free. */
export async function startEdge({ port, upstream }: { port: number; upstream: number }): Promise<Edge> {
  const server = createServer({ maxHeaderSize: MAX.headers }, (request, response) => {
    const ray = crypto.randomUUID().replaceAll('-', '').slice(0, 16)
    // fundamentals/reference/http-headers, "Added response headers"; the last one is of speed/optimization/protocol/http3.
    const own = { server: 'cloudflare', 'cf-ray': `${ray}-LIS`, 'cf-cache-status': 'DYNAMIC', 'alt-svc': 'h3=":443"' }
    const name = ownAnswer(request)
    if (name === undefined) forward({ request, response, ray, own, upstream })
    else answer({ request, response, ray, own }, name)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, 'localhost', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  ray: string
  /** The headers that the edge adds to every response. */
  own: Record<string, string>
}

/** The name of what the edge answers by itself. The Worker does not see such a request. */
function ownAnswer({ headers, url = '' }: IncomingMessage): string | undefined {
  const wanted = headers['edge-answer']
  if (typeof wanted === 'string') return wanted
  // waf/tools/browser-integrity-check. That it rejects this name: issue 134 of source-cooperative/data.source.coop.
  if (/^python-urllib/i.test(headers['user-agent'] ?? '')) return '1010'
  if (url.length > MAX.url) return '414'
  return Number(headers['content-length'] ?? 0) > MAX.body ? '413' : undefined
}

function answer({ request, response, ray, own }: Exchange, name: string): void {
  const { status, headers, body } = answerFor(name, { ray, accept: request.headers.accept })
  request.resume()
  response.writeHead(status, { ...headers, ...own }).end(body)
}

function forward(exchange: Exchange & { upstream: number }): void {
  const { request, response, upstream } = exchange
  const { method, url: path } = request
  // An idle connection could end while it is used again, which would be a fault of this proxy alone.
  const options = { host: 'localhost', port: upstream, method, path, agent: false, headers: sentHeaders(exchange) }
  let isAnswered = false
  const sent = send(options, (received) => {
    isAnswered = true
    // A connection that ends too early on one side has to end too early on the other one.
    pass(exchange, received).catch(() => response.destroy())
  })
  // Without a response, the Worker has sent none: support/troubleshooting/http-status-codes/cloudflare-5xx-errors/error-520.
  sent.on('error', () => isAnswered || response.destroyed || answer(exchange, '520'))
  response.on('close', () => response.writableFinished || sent.destroy())
  request.pipe(sent)
}

/** fundamentals/reference/http-headers, "Request headers": a name with a dot is invalid there. */
function sentHeaders({ request, ray }: Exchange): Record<string, string | string[]> {
  const { headers, headersDistinct, socket } = request
  const ip = socket.remoteAddress ?? ''
  const kept = Object.entries(headersDistinct).flatMap(([name, values = []]) => {
    const [only = '', ...more] = values
    return HOP_BY_HOP.test(name) || name.includes('.') ? [] : [[name, more.length === 0 ? only : values] as const]
  })
  return {
    ...Object.fromEntries(kept),
    // wrangler's server shows `br, gzip` to the Worker, as the edge does, and would compress what this client accepts.
    'accept-encoding': 'identity',
    connection: 'keep-alive',
    'cf-ray': ray,
    'cf-connecting-ip': ip,
    'cf-ipcountry': 'PT',
    'cf-visitor': '{"scheme":"http"}',
    'x-forwarded-for': [headers['x-forwarded-for'] ?? [], ip].flat().join(','),
    'x-forwarded-proto': 'http',
    'cdn-loop': 'cloudflare; loops=1',
  }
}

async function pass({ request, response, ray, own }: Exchange, received: IncomingMessage): Promise<void> {
  const { statusCode: status = 0 } = received
  if (status === 502 || status === 504) {
    received.resume()
    return answer({ request, response, ray, own }, String(status))
  }
  const names = Object.entries(received.headers).filter(([name]) => !HOP_BY_HOP.test(name) && !REMOVED.test(name))
  const passed: Passed = { status, headers: Object.fromEntries(names), body: received }
  const hasBody = request.method !== 'HEAD' && status !== 204 && status !== 304
  const { headers, body, through } = hasBody ? await transformed(passed, request.headers['accept-encoding']) : passed
  response.writeHead(status, { ...headers, ...own })
  await (through === undefined ? pipeline(body, response) : pipeline(body, through, response))
}
