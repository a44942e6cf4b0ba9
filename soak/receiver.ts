/**
 * This webhook receiver is like one of an integrator, but unreliable: it returns 500, hangs longer than the service
 * waits, and cuts connections. It verifies each signature and records the body of each webhook-id.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Webhook } from 'standardwebhooks'

interface ReceiverFaults {
  REJECTS: number
  HANGS: number
  /** The connection is cut before the request is read in half of the cases, and after it in the others. */
  CUTS: number
}

interface Delivery {
  body: string
  /** The number of successful responses to this delivery. */
  accepted: number
}

export interface Receiver {
  url: string
  /** The keys are webhook-ids. */
  deliveries: Map<string, Delivery>
  problems: string[]
  tally: Record<'attempts' | 'rejected' | 'hung' | 'cut', number>
  /** This verifies signatures with the secret of the endpoint, once it exists. */
  webhook: Webhook | undefined
  faults: ReceiverFaults
}

/** This is longer than the service waits for a response. */
const HANG_MS = 12_000
export const NO_FAULTS: ReceiverFaults = { REJECTS: 0, HANGS: 0, CUTS: 0 }

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    deliveries: new Map(),
    problems: [],
    tally: { attempts: 0, rejected: 0, hung: 0, cut: 0 },
    webhook: undefined,
    faults: NO_FAULTS,
  }
  const server = createServer((request, response) => {
    // A killed sender leaves half a request, which would end this process with an unhandled rejection.
    void receive(receiver, request, response).catch(() => request.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  receiver.url = `http://127.0.0.1:${address.port}/events`
  return receiver
}

async function receive(receiver: Receiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults, tally } = receiver
  tally.attempts++
  const cut = () => {
    tally.cut++
    request.socket.destroy()
  }
  if (chance(faults.CUTS / 2)) return cut()
  const delivery = recordDelivery(receiver, request, await text(request))
  if (chance(faults.CUTS / 2)) return cut()
  if (chance(faults.HANGS)) {
    tally.hung++
    await new Promise((resolve) => setTimeout(resolve, HANG_MS).unref())
  }
  if (chance(faults.REJECTS)) {
    tally.rejected++
    response.writeHead(500).end()
    return
  }
  if (delivery && !response.destroyed) delivery.accepted++
  response.writeHead(204).end()
}

/** Returns undefined if the signature is wrong. */
function recordDelivery({ webhook, deliveries, problems }: Receiver, request: IncomingMessage, body: string) {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name] ?? '')]))
  const id = headers['webhook-id'] ?? ''
  try {
    if (!webhook) throw new Error('no secret yet')
    webhook.verify(body, headers)
  } catch (error) {
    problems.push(`webhook ${id} has a wrong signature: ${String(error)}`)
    return undefined
  }
  const known = deliveries.get(id) ?? { body, accepted: 0 }
  deliveries.set(id, known)
  if (known.body !== body) problems.push(`webhook ${id} has the body ${body} after ${known.body}`)
  return known
}

const chance = (rate: number) => Math.random() < rate
