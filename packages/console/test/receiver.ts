/** A receiver of webhooks on the loopback address. The test sets the status of its responses. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Receiver {
  url: string
  /** The status of all further responses. */
  status: number
  received: { headers: Record<string, string>; body: string }[]
  close: () => void
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', status: 204, received: [], close: () => void server.close() }
  const server = createServer((request, response) => {
    async function answer() {
      receiver.received.push({ headers: plain(request.headers), body: await text(request) })
      response.writeHead(receiver.status).end()
    }
    void answer()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  receiver.url = `http://127.0.0.1:${address.port}/hook`
  return receiver
}

function plain(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
