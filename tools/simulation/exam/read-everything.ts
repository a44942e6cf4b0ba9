/** Every list is read page by page, by different callers; the reference compares each page. */
import { readAll } from '../checks/evidence.ts'
import type { Store } from '../clients/client.ts'
import * as contract from '../contract.ts'
import { hasParameter } from '../operations.ts'
import type { Caller } from '../reference/operation.ts'
import { iso } from '../reference/state.ts'
import { type Row, toRow } from '../rows.ts'
import type { Random } from '../world/random.ts'
import { Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { keepersOf } from './keepers.ts'
import { accessLists, ALL_RECORDS, feeds, histories, PLAIN_LISTS, userLists } from './lists.ts'

/** The lists that tokens may read, too. */
function listsOf(exam: Examiner, random: Random): string[] {
  return [...userLists(exam, random), ...accessLists(exam, random), ...feeds(exam, random), ...histories(exam)]
}

export async function readEverything(exam: Examiner, random: Random): Promise<void> {
  await exam.pass(1000)
  const [token = ROOT] = keepersOf(exam)
  const { viewer, limited } = exam.operators
  await exam.readFeed()
  for (const path of [...listsOf(exam, random), '/bulk_changes'])
    await readList(exam, random.pick([token, ROOT, viewer, limited]), path, 1 + random.below(7))
  for (const path of PLAIN_LISTS) await readList(exam, random.pick([ROOT, viewer]), path, 1 + random.below(4))
  // An event of another record is no cursor.
  for (const path of histories(exam)) {
    const after = String(random.pick(exam.model.feed)['id'])
    await exam.send('from any event', requestOf(ROOT, 'GET', exam.model.slug, `${path}?after=${after}`))
  }
  await checkLastUse(exam, token)
  await readDeliveries(exam, random)
}

/** Compares the records and their events with the model. A request that ends unknown replaces the model by what is there. */
export async function checkRecords(exam: Examiner): Promise<void> {
  await exam.readFeed()
  for (const path of ALL_RECORDS) await exam.readPages('before a fault', { caller: ROOT, slug: exam.model.slug, path })
}

/** A token shows the day of its last use, and no time. Whoever does nothing but read the token itself does not use it. */
async function checkLastUse(exam: Examiner, caller: Caller): Promise<void> {
  await exam.send('use', requestOf(caller, 'GET', exam.model.slug, '/users?limit=1'))
  await exam.pass(1000)
  const tokenPrefix = /^rgs_\d+_/.exec(caller.secret ?? '')?.[0] ?? 'no token'
  const uses = exam.history.exchanges.filter(
    ({ request: { method, path, token } }) => token.startsWith(tokenPrefix) && `${method} ${path}` !== 'GET /v1/token',
  )
  const used = new Set(uses.map(({ request }) => request.token.slice(tokenPrefix.length).split('_')[0]))
  const tokens = { caller: ROOT, slug: exam.model.slug, path: '/tokens' }
  const day = `${iso(exam.now).slice(0, 10)}T00:00:00.000Z`
  for (const { id, last_used_at } of await exam.readPages('last use', tokens)) {
    const isDay = typeof last_used_at === 'string' && last_used_at.endsWith('T00:00:00.000Z')
    const isPossible = last_used_at === null || (isDay && used.has(String(id)))
    if (id === caller.token?.id ? last_used_at !== day : !isPossible)
      exam.violate(`token ${String(id)} was last used at ${String(last_used_at)}, not on ${day}`)
  }
}

/** Reads a list in its order and, if it can be reversed, backwards. */
async function readList(exam: Examiner, caller: Caller, path: string, few: number): Promise<void> {
  const list = { caller, slug: exam.model.slug, limit: path.startsWith('/events') ? 7 * few : few }
  await exam.readPages('all of', { ...list, path })
  const operation = `GET /admin/stores/{store_id}${path.replace(/\?.*/, '').replace(/\/\d+/, '/{id}')}`
  if (!hasParameter(operation, 'order') || path.includes('q=')) return
  const order = path === '/bulk_changes' ? 'asc' : 'desc'
  await exam.readPages('all of', { ...list, path: `${path}${path.includes('?') ? '&' : '?'}order=${order}` })
}

/** Both orders of deliveries show the same. */
async function readDeliveries(exam: Examiner, random: Random): Promise<void> {
  for (const id of [...exam.model.endpoints.keys()].slice(0, 2)) {
    const caller = random.pick([ROOT, exam.operators.viewer])
    const [path, limit] = [`/webhook_endpoints/${id}/deliveries`, 2 + random.below(9)]
    const list = { caller, slug: exam.model.slug, path: `${path}?order=asc`, limit }
    await exam.expectRows('all of', caller, path, (await exam.readPages('oldest first', list)).toReversed(), limit)
  }
}

const FEW_LISTS = 8

/** Reads a store of the storm. What an operator reads there is compared with what a token does, and with the statistics. */
export async function readOther(exam: Examiner, store: Store, random: Random): Promise<void> {
  const [token] = store.tokens
  if (!token) return
  // The quota of the root is used up by now.
  await exam.pass(60_000)
  const other = await takeOver(exam, store)
  const json = { id: token.id, revoked_at: null, expires_at: null }
  const [scopes, secret] = [contract.SCOPES, token.secret]
  const reader = { id: token.id, json, secret, scopes, older: [] }
  other.model.tokens.set(token.id, reader)
  const caller = { secret, actor: {}, token: reader }
  for (const path of ['/users', '/product_accesses', '/events'])
    await other.readPages('read as an integrator', { caller, slug: store.id, path, limit: 20 + random.below(60) })
  for (const list of [userLists(other, random), accessLists(other, random), feeds(other, random), histories(other)])
    for (let i = 0; i < FEW_LISTS / 4; i++) await readList(other, random.pick([caller, ROOT]), random.pick(list), 9)
  // Stores with a higher number have products with the same slugs.
  for (const { slug } of other.model.products.values())
    await readList(other, random.pick([caller, ROOT]), `/products?slug=${String(slug)}`, 9)
  for (const list of ['users', 'accesses'] as const)
    for (const id of [...other.model[list].keys()].slice(-3)) {
      const path = `/${list === 'users' ? list : 'product_accesses'}/${id}`
      await other.send('read alone', requestOf(caller, 'GET', store.id, path))
    }
  await other.send('statistics', requestOf(ROOT, 'GET', store.id, '/stats?days=3'))
  await countAttempts(exam, store.id)
}

/** An examiner of the store who knows what an operator reads now. */
async function takeOver({ world, history, foreign }: Examiner, store: Store): Promise<Examiner> {
  const other = new Examiner({ world, history, store, foreign }, `exam of ${store.id}`)
  const { model } = other
  const read = (path: string): Promise<Row[]> => {
    const list: contract.List = (id, after) =>
      requestOf(ROOT, 'GET', id, `${path}?limit=100${after === undefined ? '' : `&after=${after}`}`)
    return readAll(history, other.name('to be compared'), list, store.id)
  }
  model.json = (await history.send(other.name('store'), contract.readStore(store.id))).json
  for (const json of await read('/users')) model.users.set(String(json['id']), { json, etag: '', password: undefined })
  for (const { user, product, expiration_days: _, ...json } of await read('/product_accesses')) {
    const [owner, of] = [String(toRow(user)['id']), String(toRow(product)['id'])]
    model.accesses.set(String(json['id']), { json, user: owner, product: of, etag: '' })
  }
  for (const product of await read('/products')) model.products.set(String(product['id']), product)
  for (const field of await read('/custom_fields')) model.fields.set(String(field['key']), field)
  const events = await read('/events')
  model.oldest = Number(events[0]?.['id'] ?? 1)
  // Of those that are deleted, nothing is known.
  model.feed.push(...Array.from({ length: model.oldest - 1 }, () => ({})), ...events)
  return other
}

/** A delivery has had at most as many attempts as requests were sent with its id. */
async function countAttempts(exam: Examiner, slug: string): Promise<void> {
  for (const { id, url } of await exam.readPages('endpoints', { slug, path: '/webhook_endpoints', caller: ROOT })) {
    const path = `/webhook_endpoints/${String(id)}/deliveries`
    for (const { event_id, attempts } of await exam.readPages('deliveries', { slug, path, caller: ROOT })) {
      const sent = exam.world.sent.get(`${String(url)} ${String(event_id)}`) ?? 0
      if (Number(attempts) > sent)
        exam.violate(`${path}: event ${String(event_id)} had ${String(attempts)} attempts, but ${sent} were sent`)
    }
  }
}
