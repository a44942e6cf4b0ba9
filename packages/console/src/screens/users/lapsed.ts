/** Accesses that a grant has not changed because they exist, although they have ended or are closed. */
import { startBulkChange } from '../../api/bulk-changes.ts'
import { accessStateOf } from '../../parts/access-states.ts'
import { type Access, readAccess } from '../user/access.ts'
import { endOfGrant } from '../user/grant-products.ts'
import type { Result } from './grant-batches.ts'

export interface Lapsed extends Pick<Result, 'user' | 'product'> {
  access: Access
}

const AT_ONCE = 5

/** The API has no list of accesses by their ids, so each is read on its own. */
export async function findLapsed(store: string, existing: Result[]): Promise<Lapsed[]> {
  const lapsed: Lapsed[] = []
  for (let at = 0; at < existing.length; at += AT_ONCE) {
    const read = existing.slice(at, at + AT_ONCE).map(async ({ user, product, id = '' }) => {
      const { body: access } = await readAccess(store, id)
      return { user, product, access }
    })
    lapsed.push(...(await Promise.all(read)).filter(({ access }) => accessStateOf(access, Date.now()) !== 'in_force'))
  }
  return lapsed
}

interface Renewal {
  store: string
  lapsed: Lapsed[]
  /** Undefined if the default of each product applies. */
  dueDate: string | null | undefined
  /** The same for every attempt of a form. */
  key: string
  /** The time zone of the store. */
  zone: string
}

/** Starts a bulk change for each product, which can be reverted. */
export async function renew({ store, lapsed, dueDate, key, zone }: Renewal): Promise<void> {
  for (const [product, ofProduct] of Map.groupBy(lapsed, (one) => one.product)) {
    const body = {
      filter: { product_id: product.id, user_ids: ofProduct.map(({ user }) => user.id), in_force: false },
      change: { status: 'with_access' as const, access_due_date: endOfGrant(product, dueDate, zone) },
    }
    await startBulkChange(store, body, `${key}-${product.id}`)
  }
}
