/**
 * Checks the stores that clients have tried to create: each exists once, as one of the requests said, or not at all; and a
 * creation that was interrupted is completed by the same POST, or by any request for the store.
 */
import * as contract from '../contract.ts'
import { type SimulatedEvidence, readAll } from './evidence.ts'
import { describe, type Exchange, type History } from '../clients/history.ts'
import { type Row, toRow, toRows } from '../rows.ts'

type Parts = Pick<SimulatedEvidence, 'world' | 'shared' | 'stores'>

export async function checkCreations(history: History, parts: Parts): Promise<string[]> {
  const known = new Set([...parts.stores.map(({ id }) => id), 'quarantine'])
  const tries = new Map<string, Exchange[]>()
  for (const exchange of history.exchanges) {
    const id = idOf(exchange)
    if (id !== undefined && !known.has(id)) tries.set(id, [...(tries.get(id) ?? []), exchange])
  }
  const violations: string[] = []
  const listed: unknown[] = []
  for (const [id, sent] of tries) violations.push(...(await checkOne(history, parts, id, sent)))
  for (let after: string | undefined, page = 0; page < 20; page++) {
    const { json } = await history.send(`end stores ${page}`, contract.listStores(after))
    listed.push(...toRows(json['data']).map((row) => row['id']))
    if (typeof json['next'] !== 'string') break
    after = json['next']
  }
  const missing = [...tries.keys()].filter((id) => listed.filter((each) => each === id).length !== 1)
  return [...violations, ...missing.map((id) => `store ${id} is not once in the list of stores`)]
}

/** The id of the store that the request creates. The examiner also sends ids that are invalid. */
function idOf({ request: { method, path, body } }: Exchange): string | undefined {
  const id = toRow(body)['id']
  const isValid = typeof id === 'string' && /^[a-z0-9_-]+$/.test(id)
  return method === 'POST' && path === '/admin/stores' && isValid ? id : undefined
}

const FIRST_IN_EU = 2 ** 20 + 2 ** 19

async function checkOne(history: History, { world, shared }: Parts, id: string, sent: Exchange[]): Promise<string[]> {
  const entry = shared.rows('directory').find(({ slug }) => slug === id)
  const interrupted = entry?.['completed_at'] === null ? entry : undefined
  const violations = checkSuccesses(id, sent)
  const post = interrupted && sent.find(({ request }) => isOf(interrupted, toRow(request.body)))
  if (post) {
    const { jurisdiction, ...body } = toRow(post.request.body)
    const create = contract.createStore(id, { place: 'own' }, 'Other')
    const elsewhere = { ...create, body: jurisdiction === 'eu' ? body : { ...body, jurisdiction: 'eu' } }
    for (const [i, request] of [create, elsewhere].entries()) {
      const other = await history.send(`end ${id} other ${i}`, request)
      if (other.status !== 422) violations.push(`another POST did not fail: ${describe(other)}`)
    }
  }
  if (post && world.random.stream(`end ${id}`).chance(0.5)) {
    const again = await history.send(`end ${id} post`, post.request)
    if (again.status !== 201) violations.push(`the same POST did not complete a store: ${describe(again)}`)
    world.count('the creation of a store was interrupted, and its POST completed it')
    return [...violations, ...(await checkStore(history, id, [...sent, again]))]
  }
  if (interrupted) world.count('the creation of a store was interrupted, and a read completed it')
  const read = await history.send(`end ${id} first read`, contract.readStore(id))
  if (read.status === 200) return [...violations, ...(await checkStore(history, id, sent))]
  if (interrupted) violations.push(`a read did not complete a store: ${describe(read)}`)
  // Nobody has created it, so that it can be created now.
  const made = await history.send(`end ${id} post`, contract.createStore(id, { place: 'own' }, 'Last'))
  if (made.status !== 201) violations.push(`store ${id} neither exists nor can be created: ${describe(made)}`)
  return [...violations, ...(await checkStore(history, id, [...sent, made]))]
}

/** True if the row of the directory is that of the request. */
function isOf({ number, name, language, time_zone }: Row, body: Row): boolean {
  const jurisdiction = Number(number) < FIRST_IN_EU ? undefined : 'eu'
  return (
    body['place'] === 'own' &&
    body['jurisdiction'] === jurisdiction &&
    body['name'] === name &&
    body['language'] === language &&
    (body['time_zone'] ?? 'UTC') === time_zone
  )
}

/** Only a POST that overlaps with the one that created the store may also return it. */
function checkSuccesses(id: string, sent: Exchange[]): string[] {
  const made = sent.filter(({ status }) => status === 201)
  const bodies = new Set(made.map(({ request }) => JSON.stringify(request.body)))
  const firstEnd = Math.min(...made.map(({ end }) => end))
  return [
    ...(bodies.size > 1 ? [`store ${id} was created by ${[...bodies].join(' and ')}`] : []),
    ...made.filter(({ start }) => start > firstEnd).map((each) => `a store was created again: ${describe(each)}`),
  ]
}

/** The store is as one of its requests said, has its first event, and can be used. */
async function checkStore(history: History, id: string, sent: Exchange[]): Promise<string[]> {
  const { json } = await history.send(`end ${id} read`, contract.readStore(id))
  const events = await readAll(history, 'end events', contract.listEvents, id)
  const product = await history.send(`end ${id} product`, contract.createProduct(id, 'first'))
  const made = sent.filter(({ status }) => status === 201)
  const possible = made.length > 0 ? made : sent.filter(({ end }) => end === Infinity)
  const isExpected = possible.some(({ request }) => {
    const { name, language, time_zone = 'UTC', place = 'shared', jurisdiction = null } = toRow(request.body)
    return JSON.stringify(shownOf(json)) === JSON.stringify({ name, language, time_zone, place, jurisdiction })
  })
  const types = events.map(({ type }) => String(type)).join()
  return [
    ...(isExpected ? [] : [`store ${id} is not as it was created: ${JSON.stringify(json)}`]),
    ...(types === 'store.created' ? [] : [`the events of store ${id} are ${types}`]),
    ...(product.status === 201 ? [] : [`a new store cannot be used: ${describe(product)}`]),
  ]
}

const shownOf = ({ name, language, time_zone, place, jurisdiction }: Row) => ({
  name,
  language,
  time_zone,
  place,
  jurisdiction,
})
