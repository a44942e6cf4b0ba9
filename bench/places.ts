/** Compares stores with a database of their own with stores in D1, and both with their floors, in one workerd. */
import { PLACES, type Place } from '../src/db/places.ts'
import { buildBundle, type Host, host, migrate } from './host.ts'
import { type Load, load, median } from './load.ts'
import {
  claimKeys,
  createStore,
  JSON_TYPE,
  newToken,
  type Operation,
  operationsFor,
  prepare,
  userBody,
  WITH_TARGET,
} from './operations.ts'
import type { Progress, Settings } from './settings.ts'

const SIDES = ['own', 'own floor', 'shared', 'shared floor'] as const

type Side = (typeof SIDES)[number]

export interface PlaceComparison {
  operation: string
  connections: number
  /** Requests per second. The floor has no reads. */
  throughput: Partial<Record<Side, number>>
  /** Medians over the rounds. Above 1 the first has more throughput. */
  ratios: { own: number | undefined; shared: number | undefined; ownToShared: number }
}

/** What the load on one store does to the others. */
export interface Neighbors {
  place: Place
  stores: number
  /** The p50 of a create in the other stores, in ms: with the load in another process, and in this one. */
  apart: number
  together: number
  ratio: number
}

export interface PlaceResults {
  comparisons: PlaceComparison[]
  neighbors: Neighbors[]
}

export async function benchPlaces(bundle: string, settings: Settings, progress: Progress): Promise<PlaceResults> {
  return {
    comparisons: await comparePlaces(bundle, settings, progress),
    neighbors: await measureNeighbors(bundle, settings, progress),
  }
}

interface Sided {
  origin: string
  operation: Operation
}

async function comparePlaces(bundle: string, settings: Settings, progress: Progress): Promise<PlaceComparison[]> {
  const floor = buildBundle('floor', 'bench/workers/floor.ts')
  const hosted = await host([
    { name: 'ours', module: bundle, objects: 'ours' },
    { name: 'shared floor', module: floor },
    { name: 'own floor', module: floor, objects: 'ours' },
  ])
  try {
    await migrate(await hosted.db())
    const ours = await hosted.origin('ours')
    const origins = {
      own: ours,
      shared: ours,
      'own floor': await hosted.origin('own floor'),
      'shared floor': await hosted.origin('shared floor'),
    }
    const operations = {
      own: await placeOperations(ours, 'own', origins['own floor']),
      shared: await placeOperations(ours, 'shared', origins['shared floor']),
    }
    const comparisons: PlaceComparison[] = []
    for (const [index, { name }] of operations.own.entries()) {
      const sides = new Map<Side, Sided>()
      for (const side of SIDES) {
        const place = side.startsWith('own') ? 'own' : 'shared'
        const operation = operations[place][index]
        if (operation && !(side.endsWith('floor') && operation.status === 200))
          sides.set(side, { origin: origins[side], operation })
      }
      for (const connections of settings.connections) {
        progress(`places: ${name}, ${connections} connections`)
        comparisons.push(await compareSides(name, sides, connections, settings))
      }
    }
    return comparisons
  } finally {
    await hosted.stop()
  }
}

/** The operations in a store of this place: those with a floor, and reads. */
async function placeOperations(ours: string, place: Place, floor: string): Promise<Operation[]> {
  const fixture = await prepare(ours, place, `in-${place}`)
  const operations = operationsFor(fixture).filter(({ name }) => WITH_TARGET.has(name))
  const replay = operations.find(({ name }) => name === 'replay')
  if (replay) await claimKeys(replay, { ours, floor })
  const get = (name: string, path: string): Operation => ({
    name,
    status: 200,
    next: () => ({
      method: 'GET',
      path: `/v1/stores/${fixture.store}/${path}`,
      headers: { authorization: `Bearer ${fixture.token}` },
    }),
  })
  return [
    ...operations,
    get('an access', `product_accesses/${fixture.accessIds[0]}`),
    get('page of users', 'users?limit=50'),
  ]
}

async function compareSides(
  operation: string,
  sides: ReadonlyMap<Side, Sided>,
  connections: number,
  { rounds, milliseconds, warmUpMs }: Settings,
): Promise<PlaceComparison> {
  const measured = new Map<Side, Load[]>()
  const measure = (side: Side, { origin, operation: { next, status } }: Sided, time: number) =>
    load({
      origin,
      connections,
      milliseconds: time,
      next: () => next(side.endsWith('floor') ? 'floor' : 'ours'),
      status,
    })
  for (const [side, sided] of sides) await measure(side, sided, warmUpMs)
  for (let round = 0; round < rounds; round++) {
    const order = [...sides]
    for (const [side, sided] of round % 2 === 0 ? order : order.toReversed()) {
      measured.set(side, [...(measured.get(side) ?? []), await measure(side, sided, milliseconds)])
    }
  }
  const throughputs = (side: Side) => measured.get(side)?.map(({ throughput }) => throughput)
  const ratioOf = (side: Side, to: Side) => {
    const others = throughputs(to)
    return others && median((throughputs(side) ?? []).map((own, round) => own / (others[round] ?? Number.NaN)))
  }
  return {
    operation,
    connections,
    throughput: Object.fromEntries([...measured.keys()].map((side) => [side, median(throughputs(side) ?? [])])),
    ratios: {
      own: ratioOf('own', 'own floor'),
      shared: ratioOf('shared', 'shared floor'),
      ownToShared: ratioOf('own', 'shared') ?? Number.NaN,
    },
  }
}

const FULL_LOAD = 16

/** The load comes from this process in either case, so only the process that serves it differs. */
async function measureNeighbors(bundle: string, settings: Settings, progress: Progress): Promise<Neighbors[]> {
  const start = async () => {
    const hosted = await host([{ name: 'ours', module: bundle, objects: 'ours' }])
    await migrate(await hosted.db())
    return hosted
  }
  const [here, elsewhere] = [await start(), await start()]
  try {
    const neighbors: Neighbors[] = []
    for (const place of PLACES) neighbors.push(await measurePlace(place, { here, elsewhere }, settings, progress))
    return neighbors
  } finally {
    await here.stop()
    await elsewhere.stop()
  }
}

async function measurePlace(
  place: Place,
  hosts: { here: Host; elsewhere: Host },
  { stores, rounds, milliseconds, warmUpMs }: Settings,
  progress: Progress,
): Promise<Neighbors> {
  const [here, elsewhere] = [await hosts.here.origin('ours'), await hosts.elsewhere.origin('ours')]
  const busy = `${place}-busy`
  const creates = { here: await creatorOf(here, busy, place), elsewhere: await creatorOf(elsewhere, busy, place) }
  const others: (() => ReturnType<Operation['next']>)[] = []
  while (others.length < stores - 1) {
    if (others.length % 100 === 0) progress(`places: ${others.length} of ${stores} stores, ${place}`)
    others.push(await creatorOf(here, `${place}-${others.length}`, place))
  }
  let turn = 0
  const ofOthers = () => (others[turn++ % others.length] ?? creates.here)()
  const measure = async (side: 'here' | 'elsewhere', time: number) => {
    const origin = side === 'here' ? here : elsewhere
    const [{ p50 }] = await Promise.all([
      load({ origin: here, connections: 1, milliseconds: time, next: ofOthers, status: 201 }),
      load({ origin, connections: FULL_LOAD, milliseconds: time, next: creates[side], status: 201 }),
    ])
    return p50
  }
  const measured: { apart: number; together: number }[] = []
  for (const side of ['here', 'elsewhere'] as const) await measure(side, warmUpMs)
  for (let round = 0; round < rounds; round++) {
    progress(`places: one of ${stores} stores under full load, ${place}, round ${round + 1} of ${rounds}`)
    measured.push({ apart: await measure('elsewhere', milliseconds), together: await measure('here', milliseconds) })
  }
  return {
    place,
    stores,
    apart: median(measured.map(({ apart }) => apart)),
    together: median(measured.map(({ together }) => together)),
    ratio: median(measured.map(({ apart, together }) => together / apart)),
  }
}

/** Creates a store, and returns what makes the next create in it. */
async function creatorOf(origin: string, store: string, place: Place): Promise<() => ReturnType<Operation['next']>> {
  await createStore(origin, store, place)
  const headers = { authorization: `Bearer ${await newToken(origin, store)}`, ...JSON_TYPE }
  return () => ({ method: 'POST', path: `/v1/stores/${store}/users`, headers, body: userBody() })
}
