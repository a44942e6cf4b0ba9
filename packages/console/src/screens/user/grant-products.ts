import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { endOfDayIn } from '../../parts/due-days.ts'
import type { User } from '../users/draft.ts'

interface Grant {
  store: string
  /** The same for every attempt of a form. */
  key: string
  user: Pick<User, 'id'>
  products: string[]
  /** Undefined if the default of each product applies. */
  dueDate: string | null | undefined
}

/** Grants one product after the other, and throws the first failure: what was granted by then stays. */
export async function grantProducts({ store, key, user, products, dueDate }: Grant): Promise<void> {
  for (const product_id of products) {
    await bodyOf(
      api.POST('/admin/stores/{store_id}/product_accesses', {
        params: { path: { store_id: store }, header: { 'X-Idempotency-Key': `${key}-${product_id}` } },
        body: { user_id: user.id, product_id, ...(dueDate !== undefined && { access_due_date: dueDate }) },
      }),
    )
  }
}

/** Until when a renewed access lasts. A product's days end with a day, or the access would end in the middle of one. */
export function endOfGrant(
  { expiration_days: days }: Schemas['Product'],
  dueDate: string | null | undefined,
  zone: string,
): string | null {
  if (dueDate !== undefined) return dueDate
  return days === undefined || days === null ? null : endOfDayIn(days, zone)
}
