/**
 * Webhooks to hosts that cannot be reached, where `fetch` is as on Cloudflare: it returns a status that the receiver has never
 * sent (scripts/edge/outbound.ts). workerd throws instead, so no other test shows this.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { pause } from '../src/lib/pause.ts'
import { ADMIN_TOKEN, buildBundle, host, type Host, migrate } from '../tools/bench/host.ts'
import { caller, createStore } from '../tools/bench/operations.ts'
import { outbound } from './edge/outbound.ts'
import { freePort } from './free-port.ts'

const STORE = 'unreachable'
const DEADLINE_MS = 60_000

let hosted: Host
let call: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>
/** The statuses of which `fetch` has returned a response, by the URL. */
const returned = new Map<string, number[]>()
let httpPort: number
/** Answers with the status in its path. It is no server of TLS. */
const receiver = createServer((request, response) => {
  request.resume()
  response.writeHead(Number(request.url?.slice(1, 4))).end()
})

before(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const address = receiver.address()
  httpPort = typeof address === 'object' && address !== null ? address.port : 0
  hosted = await host([
    {
      name: 'service',
      module: buildBundle('unreachable'),
      // Only the development environment allows webhooks to this machine.
      bindings: { ENVIRONMENT: 'development' },
      objects: 'service',
      outbound: async (request) => {
        const response = await outbound(request)
        returned.set(request.url, [...(returned.get(request.url) ?? []), response.status])
        return response
      },
    },
  ])
  await migrate(await hosted.db())
  const origin = await hosted.origin('service')
  await createStore(origin, STORE, 'shared')
  call = (method, path, body) => caller(origin)(method, `/admin/stores/${STORE}${path}`, ADMIN_TOKEN, body)
})

after(async () => {
  receiver.close()
  await hosted.stop()
})

/** What a receiver is like, its URL, and the status that Cloudflare makes of it. */
const RECEIVERS: [string, () => string | Promise<string>, number][] = [
  ['whose name does not exist', () => 'https://shop.example.invalid/', 530],
  ['that refuses connections', async () => `http://127.0.0.1:${await freePort()}/`, 521],
  ['whose TLS handshake fails', () => `https://127.0.0.1:${httpPort}/204`, 525],
]

describe('An endpoint', () => {
  for (const [what, urlOf, made] of RECEIVERS) {
    it(`${what} is unreachable, and not a receiver that responds ${made}`, async () => {
      const url = await urlOf()
      const path = `/webhook_endpoints/${String((await call('POST', '/webhook_endpoints', { url })).id)}`
      const tested = await call('POST', `${path}/test`)
      assert.deepEqual([tested['status'], tested['failure']], [null, 'unreachable'])

      await call('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: `ada-${made}@example.com` })
      const delivery = await poll(path, '/deliveries', ({ attempts }) => attempts === 1)
      assert.deepEqual([delivery['state'], delivery['last_status']], ['pending', null])
      const { state, last_status } = await call('GET', path)
      assert.deepEqual([state, last_status], ['failing', null])
      await call('DELETE', path)
      assert.deepEqual(returned.get(url), [made, made], 'fetch has returned what Cloudflare makes')
    })
  }

  it('that sends such a status itself has sent it', async () => {
    for (const status of [521, 530]) {
      const { id } = await call('POST', '/webhook_endpoints', { url: `http://127.0.0.1:${httpPort}/${status}` })
      const tested = await call('POST', `/webhook_endpoints/${String(id)}/test`)
      assert.deepEqual([tested['status'], tested['failure']], [status, null])
    }
  })
})

/** The first record of the list under the path that is as wanted. */
async function poll(path: string, list: string, isWanted: (record: Record<string, unknown>) => boolean) {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end; await pause(50)) {
    const { data } = await call('GET', path + list)
    const found: Record<string, unknown> | undefined = Array.isArray(data) ? data.find(isWanted) : undefined
    if (found !== undefined) return found
  }
  throw new Error(`${path}${list}: nothing is as wanted`)
}
