/**
 * The receivers of all webhooks. As long as they are faulty, they return 500, hang longer than the service waits, and cut
 * connections, half of them before the request is read.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { HOOKS } from '../simulation/contract.ts'
import type { Delivery } from '../simulation/world/receiver.ts'
import { pause } from '../../src/lib/pause.ts'

const FAULTS = { rejects: 0.1, hangs: 0.001, cuts: 0.05 }
/** This is longer than the service waits for a response. */
const HANG_MS = 12_000

export class Receivers {
  readonly deliveries: Delivery[] = []
  isFaulty = false

  /** Returns their origin. */
  async listen(): Promise<string> {
    const server = createServer((request, response) => {
      // A killed sender leaves half a request, which would end this process with an unhandled rejection.
      void this.#receive(request, response).catch(() => request.destroy())
    })
    server.keepAliveTimeout = 60_000
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    server.unref()
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the receivers have no port')
    return `http://127.0.0.1:${address.port}`
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#chance(FAULTS.cuts / 2)) return void request.socket.destroy()
    const delivery = this.#record(request, await text(request))
    if (this.#chance(FAULTS.cuts / 2)) return void request.socket.destroy()
    if (this.#chance(FAULTS.hangs)) await pause(HANG_MS)
    if (response.destroyed) return
    delivery.status = this.#chance(FAULTS.rejects) ? 500 : 204
    response.writeHead(delivery.status).end()
  }

  #record(request: IncomingMessage, body: string): Delivery {
    const header = (name: string) => String(request.headers[name])
    const delivery = {
      url: HOOKS + request.url,
      id: header('webhook-id'),
      body,
      at: Date.now(),
      timestamp: header('webhook-timestamp'),
      signatures: header('webhook-signature').split(' '),
      status: null,
      // Nobody outside knows which object has sent it.
      by: '',
      instance: '',
      areClocksUncertain: false,
    }
    this.deliveries.push(delivery)
    return delivery
  }

  #chance(rate: number): boolean {
    return this.isFaulty && Math.random() < rate
  }
}
