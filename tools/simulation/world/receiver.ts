/** The receivers of webhooks behind `fetch`, with their faults. They keep what they received, for the checks. */
import type { Instance, World } from './world.ts'

export interface Delivery {
  url: string
  id: string
  body: string
  at: number
  timestamp: string
  signatures: string[]
  /** The name of the actor that sent it, and of its instance. */
  by: string
  instance: string
  /** A clock had jumped. */
  areClocksUncertain: boolean
  /** Null if the response got lost. */
  status: number | null
  /** When the outage began in which it was rejected. */
  outage?: number
}

export const CHANCES = {
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

const MAX_IN_FLIGHT = 6

const inFlight = new WeakMap<World, Map<string, number>>()

/** True for what the object of an endpoint sends. Redeliveries and tests are sent at once, whatever the endpoint's state is. */
export const isOfObject = (by: string) => /(^| in )endpoint \d+ (wake|recover|redelivered|alarm \d+) inside$/.test(by)

/** Counts the requests of an endpoint's object that are in flight. Those of an object that has died are not. */
function countInFlight(world: World, url: string | undefined, instance: Instance | undefined): () => void {
  // An instance that has just died may still run to its next pause.
  if (url === undefined || instance?.isAlive === false) return () => {}
  const counts = inFlight.get(world) ?? new Map<string, number>()
  inFlight.set(world, counts)
  const count = (counts.get(url) ?? 0) + 1
  counts.set(url, count)
  if (count > MAX_IN_FLIGHT) world.defects.push(`${count} requests are in flight to ${url}`)
  if (count === MAX_IN_FLIGHT) world.count('six requests in flight')
  let hasEnded = false
  const end = () => {
    if (!hasEnded) counts.set(url, (counts.get(url) ?? 1) - 1)
    hasEnded = true
  }
  instance?.onDeath.add(end)
  return end
}

const STRUGGLES_AFTER = 20

/** Counts an endpoint that has failed so often in a row that it is treated differently. */
function countFailures(world: World, url: string, status: number | null): void {
  const isSuccess = status !== null && status < 300
  const failures = isSuccess ? 0 : (world.failures.get(url) ?? 0) + 1
  world.failures.set(url, failures)
  if (failures === STRUGGLES_AFTER) world.count('an endpoint fails 20 times in a row')
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
    // What has died sends nothing, although its code runs until it waits.
    if (actor.instance?.isAlive === false) return promise
    const end = countInFlight(world, isOfObject(actor.name) ? url : undefined, actor.instance)
    const body = typeof init?.body === 'string' ? init.body : ''
    const script = world.scripts.get(url)
    const id = headers.get('webhook-id') ?? ''
    const event = `${url} ${id.replace(/^.*_/, '')}`
    world.sent.set(event, (world.sent.get(event) ?? 0) + 1)
    const signatures = (headers.get('webhook-signature') ?? '').split(' ')
    if (script) world.scripted.push({ url, id, at: world.now, signatures: signatures.length })
    const fault = script === undefined ? world.fault(`the receiver at ${url}`, CHANCES) : undefined
    const kill = () => actor.instance && world.kill(actor.instance)
    if (fault === 'goes down for some minutes' && !outageOf(url)) {
      const ends = world.now + world.random.stream(`outage of ${url} at ${world.now}`).between(60_000, 900_000)
      outages.set(url, { began: world.now, ends })
    }
    const respond = (status: number) => {
      const settle = () => {
        end()
        resolve(new Response(null, { status }))
      }
      world.schedule(world.latency(actor) + (script?.afterMs ?? 0), settle, actor)
    }
    const fail = () => {
      const settle = () => {
        end()
        reject(new TypeError('fetch failed'))
      }
      world.schedule(world.latency(actor), settle, actor)
    }
    const receive = (status: number | null, outage?: Outage) => {
      countFailures(world, url, status)
      deliveries.push({
        url,
        id,
        body,
        at: world.now,
        timestamp: headers.get('webhook-timestamp') ?? '',
        signatures,
        status,
        ...(outage && { outage: outage.began }),
        by: actor.name,
        instance: actor.instance?.name ?? '',
        areClocksUncertain: world.areClocksUncertain,
      })
    }

    init?.signal?.addEventListener('abort', () => {
      end()
      reject(init.signal?.reason)
    })
    if (fault === 'is not reached') fail()
    else if (fault === 'the instance dies before' || script?.killsSender === true) kill()
    else if (fault !== 'never answers') {
      const arrive = () => {
        const outage = script === undefined ? outageOf(url) : undefined
        if (outage) {
          receive(503, outage)
          respond(503)
          return
        }
        const status = script?.status ?? Number(/^answers (\d+)$/.exec(fault ?? '')?.[1] ?? 204)
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
