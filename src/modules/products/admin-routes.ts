import * as z from 'zod/mini'
import { createProduct, deleteProduct, updateProduct } from './products.ts'
import { Hono } from '../../http/hono.ts'
import { jsonBody, noQuery, optionalBody } from '../../http/middleware/validate.ts'
import { LENGTH } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { contextOf, numberInPath } from '../../http/request-context.ts'
import { clearable, expirationDays, filledText, optional, slugText } from '../../formats/values.ts'
import { toProduct } from './product-json.ts'

const createProductBody = lazy(() =>
  z.strictObject({
    name: filledText(LENGTH.name),
    slug: slugText(),
    type: filledText(LENGTH.name),
    expiration_days: optional(expirationDays()),
  }),
)

const updateProductBody = lazy(() =>
  z.strictObject({
    name: z.optional(filledText(LENGTH.name)),
    slug: z.optional(slugText()),
    type: z.optional(filledText(LENGTH.name)),
    expiration_days: clearable(expirationDays()),
  }),
)

/** The list is an operation of tokens too (src/modules/products/routes.ts). */
export const products = new Hono()
  .post('/:store_id/products', jsonBody(createProductBody), async (c) => {
    const { expiration_days = null, ...fields } = c.req.valid('json')
    const row = await createProduct(c.get('db'), contextOf(c), { ...fields, expiration_days })
    return c.json(toProduct(row), 201)
  })
  .patch('/:store_id/products/:id', optionalBody(updateProductBody), async (c) => {
    const fields = c.req.valid('json')
    return c.json(toProduct(await updateProduct(c.get('db'), contextOf(c), { number: numberInPath(c), fields })))
  })
  .delete('/:store_id/products/:id', noQuery(), async (c) => {
    await deleteProduct(c.get('db'), contextOf(c), numberInPath(c))
    return c.body(null, 204)
  })
