/** The endpoints of webhooks: behind `fetch`, each with its moods; what they took is there to be compared. */
import type { World } from './world.ts'

export interface Delivery {
  url: string
  id: string
  body: string
  at: number
  timestamp: string
  signatures: string[]
  /** Null where the answer got lost. */
  status: number | null
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
}

export function simulateReceivers(world: World, deliveries: Delivery[]): typeof fetch {
  return (input, init) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const { actor } = world
    const url = input instanceof Request ? input.url : String(input)
    const headers = new Headers(init?.headers)
    const body = typeof init?.body === 'string' ? init.body : ''
    const mishap = world.mishap(`the receiver at ${url}`, CHANCES)
    const kill = () => actor.instance && world.kill(actor.instance)
    const answer = (status: number) =>
      world.later(world.latency(actor), () => resolve(new Response(null, { status })), actor)
    const fail = () => world.later(world.latency(actor), () => reject(new TypeError('fetch failed')), actor)
    const take = (status: number | null) =>
      void deliveries.push({
        url,
        id: headers.get('webhook-id') ?? '',
        body,
        at: world.now,
        timestamp: headers.get('webhook-timestamp') ?? '',
        signatures: (headers.get('webhook-signature') ?? '').split(' '),
        status,
      })

    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    if (mishap === 'is not reached') fail()
    else if (mishap === 'the instance dies before') kill()
    else if (mishap !== 'never answers') {
      const arrive = () => {
        const status = Number(/^answers (\d+)$/.exec(mishap ?? '')?.[1] ?? 204)
        take(mishap === 'takes it, its answer lost' || mishap === 'the instance dies after' ? null : status)
        if (mishap === 'the instance dies after') kill()
        else if (mishap === 'takes it, its answer lost') fail()
        else answer(status)
      }
      world.later(world.latency(actor), arrive, world.network)
    }
    return promise
  }
}
