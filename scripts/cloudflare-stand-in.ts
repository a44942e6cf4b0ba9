/**
 * The part of Cloudflare's API that `npm run deploy` calls, in memory, so that the tests deploy with the real wrangler. A
 * database is SQLite. Every request is recorded, and those that match `fail` are rejected.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Account, Refusal } from './cloudflare-account.ts'

export const API_TOKEN = 'api-token-of-the-tests'
export const ACCOUNT = '0123456789abcdef0123456789abcdef'

export interface StandIn extends Pick<Account, 'databases' | 'namespaces' | 'scripts' | 'consumers'> {
  url: string
  /** For example `POST /d1/database`, without the account in the path. */
  requests: string[]
  fail: RegExp | undefined
  /** A query that matches changes nothing. */
  ignore: RegExp | undefined
  stop: () => void
}

export async function startStandIn(): Promise<StandIn> {
  const account = new Account()
  const { databases, namespaces, scripts, consumers } = account
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    try {
      const result = await answer(request)
      response.end(JSON.stringify({ success: true, errors: [], messages: [], result }))
    } catch (error) {
      const { status, code, message } = error instanceof Refusal ? error : new Refusal(400, 7400, String(error))
      response.statusCode = status
      response.end(JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null }))
    }
  })

  async function answer(request: IncomingMessage): Promise<unknown> {
    const { method = '', url = '', headers } = request
    const { pathname, searchParams: query } = new URL(url, 'http://stand-in')
    const path = pathname.replace(`/client/v4/accounts/${ACCOUNT}`, '')
    standIn.requests.push(`${method} ${path}`)
    const body = await text(request)
    if (headers.authorization !== `Bearer ${API_TOKEN}`) throw new Refusal(401, 10000, 'Authentication error')
    if (standIn.ignore?.test(body)) return [{ success: true, results: [], meta: { duration: 0 } }]
    if (standIn.fail?.test(`${method} ${path}`)) throw new Refusal(500, 7500, 'The test wants this to fail.')
    return account.answer(method, path, { query, body })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const standIn: StandIn = {
    url: `http://127.0.0.1:${port}/client/v4`,
    databases,
    namespaces,
    scripts,
    consumers,
    requests: [],
    fail: undefined,
    ignore: undefined,
    stop: () => server.close(),
  }
  return standIn
}
