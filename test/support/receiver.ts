/**
 * This webhook receiver listens in Node on loopback, records the requests of each path and responds as it was set up.
 * It starts once for all test files, which run in workerd and control it below `/control`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * `hang` sends no response until the next `answer`, `cut` ends the connection, `json` is sent with the status 200, and
 * `cloudflare` is a status that Cloudflare's edge makes.
 */
export type Reply = number | 'hang' | 'cut' | { json: unknown } | { cloudflare: number }

export interface Received {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  /** This many requests of the path were in flight, including this one. */
  underWay: number
}

export interface Receiver {
  origin: string
  /** Sets the responses of a path; the last one is repeated, and waiting requests get the first one. */
  answer: (path: string, replies: Reply[]) => void
  /** The requests are in the order of their arrival. */
  requests: (path: string) => Received[]
  stop: () => void
}

interface Path {
  name: string
  replies: Reply[]
  requests: Received[]
  underWay: number
  waiting: ServerResponse[]
}

export async function startReceiver(): Promise<Receiver> {
  const paths = new Map<string, Path>()

  function at(path: string): Path {
    let known = paths.get(path)
    if (!known) paths.set(path, (known = { name: path, replies: [204], requests: [], underWay: 0, waiting: [] }))
    return known
  }

  function answer(path: string, replies: Reply[]): void {
    const known = at(path)
    const [first = 204] = replies
    known.replies = [...replies]
    for (const response of known.waiting.splice(0)) reply(known, first, response)
  }

  function reply(path: Path, how: Reply, response: ServerResponse): void {
    if (how === 'hang') path.waiting.push(response)
    else if (how === 'cut') response.destroy()
    else if (typeof how !== 'object')
      response.writeHead(how, how >= 300 && how < 400 ? { Location: `${path.name}/elsewhere` } : {}).end()
    else if ('json' in how) response.end(JSON.stringify(how.json))
    else response.writeHead(how.cloudflare, { Server: 'cloudflare' }).end()
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const path = at(url.split('?', 1)[0] ?? '')
    path.underWay++
    response.on('close', () => path.underWay--)
    const { underWay } = path
    const received = { method, url, headers: flat(headers), body: await text(request), underWay }
    path.requests.push(received)
    const [how = 204] = path.replies
    if (path.replies.length > 1) path.replies.shift()
    reply(path, how, response)
  }

  async function control(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'PUT') answer(path, JSON.parse(await text(request)))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(at(path).requests))
  }

  const server = createServer((request, response) => {
    const [, path] = /^\/control(\/.*)$/.exec(request.url ?? '') ?? []
    const handled = path === undefined ? receive(request, response) : control(path, request, response)
    handled.catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not on a port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    answer,
    requests: (path) => at(path).requests,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))
}
