/** The receivers of webhooks behind `fetch`, with their faults. They keep what they received, for the checks. */
import type { World } from './world.ts'

export interface Delivery {
  url: string
  id: string
  body: string
  at: number
  timestamp: string
  signatures: string[]
  /** Null if the response got lost. */
  status: number | null
  /** When the outage began in which it was rejected. */
  outage?: number
}

const CHANCES = {
  'answers 500': 0.08,
  'answers 302': 0.01,
  'answers 410': 0.005,
  'takes it, its answer lost': 0.03,
  'is not reached': 0.03,
  'never answers': 0.02,
  'the instance dies before': 0.005,
  'the instance dies after': 0.008,
  'goes down for some minutes': 0.02,
}

interface Outage {
  began: number
  ends: number
}

export function simulateReceivers(world: World, deliveries: Delivery[]): typeof fetch {
  const outages = new Map<string, Outage>()

  /** The outage of the receiver at this time. Outages end with the faults of the run. */
  function outageOf(url: string): Outage | undefined {
    const outage = outages.get(url)
    return outage && !world.isFaultFree && world.now < outage.ends ? outage : undefined
  }

  return (input, init) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const { actor } = world
    const url = input instanceof Request ? input.url : String(input)
    const headers = new Headers(init?.headers)
    const body = typeof init?.body === 'string' ? init.body : ''
    const fault = world.fault(`the receiver at ${url}`, CHANCES)
    const kill = () => actor.instance && world.kill(actor.instance)
    const respond = (status: number) =>
      world.schedule(world.latency(actor), () => resolve(new Response(null, { status })), actor)
    const fail = () => world.schedule(world.latency(actor), () => reject(new TypeError('fetch failed')), actor)
    if (fault === 'goes down for some minutes' && !outageOf(url)) {
      const ends = world.now + world.random.stream(`outage of ${url} at ${world.now}`).between(60_000, 900_000)
      outages.set(url, { began: world.now, ends })
    }
    const receive = (status: number | null, outage?: Outage) =>
      void deliveries.push({
        url,
        id: headers.get('webhook-id') ?? '',
        body,
        at: world.now,
        timestamp: headers.get('webhook-timestamp') ?? '',
        signatures: (headers.get('webhook-signature') ?? '').split(' '),
        status,
        ...(outage && { outage: outage.began }),
      })

    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    if (fault === 'is not reached') fail()
    else if (fault === 'the instance dies before') kill()
    else if (fault !== 'never answers') {
      const arrive = () => {
        const outage = outageOf(url)
        if (outage) {
          receive(503, outage)
          respond(503)
          return
        }
        const status = Number(/^answers (\d+)$/.exec(fault ?? '')?.[1] ?? 204)
        receive(fault === 'takes it, its answer lost' || fault === 'the instance dies after' ? null : status)
        if (fault === 'the instance dies after') kill()
        else if (fault === 'takes it, its answer lost') fail()
        else respond(status)
      }
      world.schedule(world.latency(actor), arrive, world.network)
    }
    return promise
  }
}
