/** How a grant names its product: by its id or by its slug. */
import * as z from 'zod/mini'
import { isObject } from '../../lib/json.ts'
import { lazy } from '../../lib/lazy.ts'
import { MISSING, optional, recordId, slugText, whereverThereIs } from '../../formats/values.ts'

export const namedProduct = lazy(() => ({ product_id: optional(recordId()), slug: optional(slugText()) }))

interface Named {
  product_id?: unknown
  slug?: unknown
}

/** Neither of the two is a missing field, both of them an invalid one. */
export function namesOneProduct() {
  return [
    z.refine<Named>(({ product_id, slug }) => product_id != null || slug != null, {
      path: ['product_id'],
      params: MISSING,
      ...whereverThereIs(isObject),
    }),
    z.refine<Named>(({ product_id, slug }) => product_id == null || slug == null, {
      path: ['slug'],
      error: 'name the product by its id or by its slug',
      ...whereverThereIs(isObject),
    }),
  ] as const
}
