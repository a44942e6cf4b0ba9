import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { formatDateTime } from '../date-time.ts'
import type { Product } from '../db/schema.ts'
import { createProduct, listProducts } from '../domain/products.ts'
import { jsonBody, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { expirationDays, filledText, id, optional, pageQuery, slug } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'
import { storePath } from './store-path.ts'

export const createProductBody = z.object({
  name: filledText(LENGTH.name),
  slug,
  type: filledText(LENGTH.name),
  expiration_days: optional(expirationDays),
})

export const listProductsQuery = pageQuery(id)

function toProduct({ id: productId, name, slug: productSlug, type, expiration_days, created_at }: Product) {
  return {
    id: String(productId),
    name,
    slug: productSlug,
    type,
    expiration_days,
    created_at: formatDateTime(created_at),
  }
}

export const products = new Hono<AppEnv>()
  .post('/:store_id/products', jsonBody(createProductBody), storePath, async (c) => {
    const row = await createProduct(c.get('db'), {
      store_id: c.req.param('store_id'),
      created_at: c.get('now'),
      ...c.req.valid('json'),
    })
    return c.json(toProduct(row), 201)
  })
  .get('/:store_id/products', queryString(listProductsQuery), storePath, async (c) => {
    const found = await listProducts(c.get('db'), { store_id: c.req.param('store_id'), ...c.req.valid('query') })
    return c.json(toPage(found, toProduct))
  })
