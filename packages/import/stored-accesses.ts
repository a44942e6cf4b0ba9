/** The accesses that people have before an update, and what a row would change of them. */
import { isObject } from '../../src/lib/json.ts'
import { parseDateTime } from '../../src/lib/date-time.ts'
import { OPEN_STATUS } from '../../src/db/schema/access-status.ts'
import type { Client } from './client.ts'
import { isSameLocalDate } from './due-dates.ts'
import { listPages } from './pages.ts'
import { textIn } from './text-in.ts'

type Values = Record<string, unknown>

export interface StoredAccess {
  id: string
  user: string
  product: { id: string; slug: string; name: string }
  status: string
  /** Null without a limit. */
  due: string | null
}

/** In the order in which they are shown: what takes something away comes first. */
export const EFFECTS = ['earlier', 'closed', 'granted', 'opened', 'later'] as const
export type Effect = (typeof EFFECTS)[number]

export interface AccessState {
  status: string
  /** Null without a limit; undefined if the product decides. */
  due: string | null | undefined
}

export interface AccessChange {
  /** That of the access; empty if it is granted. */
  id: string
  slug: string
  /** The name of the product, or else its slug. */
  product: string
  effects: Effect[]
  from: AccessState | undefined
  to: AccessState
}

/** Returns the accesses of these users (at most 100). Undefined if the token may not read them. */
export async function readAccesses(
  client: Pick<Client, 'call'>,
  users: string[],
): Promise<Map<string, StoredAccess[]> | undefined> {
  if (users.length === 0) return new Map()
  const found = await listPages(client, `/product_accesses?user_ids=${users.join(',')}`, toStored)
  return found && Map.groupBy(found, ({ user }) => user)
}

export function toStored(record: unknown): StoredAccess[] {
  if (!isObject(record)) return []
  const { product, user, access_due_date: due } = record
  const [id = '', slug = '', name = slug] = ['id', 'slug', 'name'].map((field) => textIn(product, field))
  return [
    {
      id: textIn(record, 'id') ?? '',
      user: textIn(user, 'id') ?? '',
      product: { id, slug, name },
      status: textIn(record, 'status') ?? '',
      due: typeof due === 'string' ? due : null,
    },
  ]
}

interface Compared {
  changes: AccessChange[]
  /** The accesses of the item without what is stored already. */
  settled: Values[]
  /** The accesses of the person after the row. */
  after: StoredAccess[]
  /** The accesses that lose their limit. In a batch, null is an omitted date, so each needs a request of its own. */
  unlimited: string[]
}

export interface Comparison {
  /** As in `Item` (columns.ts). */
  localDates: ReadonlyMap<number, string>
  zone: string
  neverShorten: boolean
}

export function compareAccesses(wanted: Values[], stored: StoredAccess[], comparison: Comparison): Compared {
  const after = [...stored]
  const changes: AccessChange[] = []
  const unlimited: string[] = []
  const settled = wanted.map((access, i) => {
    const index = after.findIndex(({ product }) => isProduct(product, access))
    const before = after[index]
    const status = textIn(access, 'status')
    const due = 'access_due_date' in access ? instantOf(access['access_due_date']) : undefined
    const [slug = '', product = slug] = [textIn(access, 'slug') ?? textIn(access, 'product_id'), before?.product.name]
    if (before === undefined) {
      const to = { status: status ?? OPEN_STATUS, due }
      changes.push({ id: '', slug, product, effects: ['granted'], from: undefined, to })
      after.push({ id: '', user: '', product: productIn(access), status: to.status, due: due ?? null })
      return access
    }
    const local = comparison.localDates.get(i)
    const isSame =
      due === undefined ||
      before.due === due ||
      (local !== undefined && isSameLocalDate(before.due, { date: due, local }, comparison.zone))
    const isKept = isSame || (comparison.neverShorten && isEarlier(due, before.due))
    const to = { status: status ?? before.status, due: isKept ? before.due : due }
    const effects = effectsOf(before, to)
    if (effects.length > 0) {
      const from = { status: before.status, due: before.due }
      changes.push({ id: before.id, slug: before.product.slug, product, effects, from, to })
    }
    if (to.due === null && before.due !== null && before.id !== '') unlimited.push(before.id)
    after[index] = { ...before, status: to.status, due: to.due ?? null }
    const rest = Object.entries(access).filter(
      ([name]) =>
        !(name === 'access_due_date' && (isSame || due === null)) && !(name === 'status' && status === before.status),
    )
    return Object.fromEntries(rest)
  })
  return { changes, settled, after, unlimited }
}

function effectsOf(before: StoredAccess, { status, due }: AccessState): Effect[] {
  const effects: Effect[] = []
  if (status !== before.status) effects.push(status === OPEN_STATUS ? 'opened' : 'closed')
  if (due !== undefined && due !== before.due) effects.push(isEarlier(due, before.due) ? 'earlier' : 'later')
  return effects
}

/** No date is later than every date. */
function isEarlier(due: string | null, than: string | null): boolean {
  return due !== null && (than === null || Date.parse(due) < Date.parse(than))
}

function isProduct({ id, slug }: StoredAccess['product'], access: Values): boolean {
  return access['slug'] === slug || access['product_id'] === id
}

function productIn(access: Values): StoredAccess['product'] {
  const slug = textIn(access, 'slug') ?? ''
  return { id: textIn(access, 'product_id') ?? '', slug, name: slug }
}

/** As the service writes it. What it rejects stays as it is. */
export function instantOf(due: unknown): string | null | undefined {
  if (typeof due !== 'string') return due === null ? null : undefined
  const instant = parseDateTime(due)
  return instant === undefined ? due : new Date(instant).toISOString()
}
