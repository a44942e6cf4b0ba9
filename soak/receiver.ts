/**
 * A webhook receiver as an integrator would run one, but unreliable: it answers 500, hangs beyond the service's
 * patience and cuts connections. It verifies each signature, and remembers what each webhook-id has brought.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Webhook } from 'standardwebhooks'

interface ReceiverFaults {
  REFUSES: number
  HANGS: number
  /** Half of the cut requests are cut before they are read. */
  CUTS: number
}

interface Delivery {
  body: string
  /** How often it was answered with success. */
  accepted: number
}

export interface Receiver {
  url: string
  /** By webhook-id. */
  deliveries: Map<string, Delivery>
  wrong: string[]
  tally: Record<'attempts' | 'refused' | 'hung' | 'cut', number>
  /** Of the secret that was told. */
  webhook: Webhook | undefined
  faults: ReceiverFaults
}

/** Longer than an attempt may take. */
const HANG_MS = 12_000
export const NO_FAULTS: ReceiverFaults = { REFUSES: 0, HANGS: 0, CUTS: 0 }

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    deliveries: new Map(),
    wrong: [],
    tally: { attempts: 0, refused: 0, hung: 0, cut: 0 },
    webhook: undefined,
    faults: NO_FAULTS,
  }
  const server = createServer((request, response) => {
    // A sender that is killed leaves half a request.
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
  const delivery = remember(receiver, request, await text(request))
  if (chance(faults.CUTS / 2)) return cut()
  if (chance(faults.HANGS)) {
    tally.hung++
    await new Promise((resolve) => setTimeout(resolve, HANG_MS).unref())
  }
  if (chance(faults.REFUSES)) {
    tally.refused++
    response.writeHead(500).end()
    return
  }
  if (delivery && !response.destroyed) delivery.accepted++
  response.writeHead(204).end()
}

/** Undefined for what is not to be trusted. */
function remember({ webhook, deliveries, wrong }: Receiver, request: IncomingMessage, body: string) {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name] ?? '')]))
  const id = headers['webhook-id'] ?? ''
  try {
    if (!webhook) throw new Error('no secret yet')
    webhook.verify(body, headers)
  } catch (error) {
    wrong.push(`webhook ${id} is not signed as it should be: ${String(error)}`)
    return undefined
  }
  const known = deliveries.get(id) ?? { body, accepted: 0 }
  deliveries.set(id, known)
  if (known.body !== body) wrong.push(`webhook ${id} brought ${body} after ${known.body}`)
  return known
}

const chance = (rate: number) => Math.random() < rate
