import * as z from 'zod/mini'
import { listProducts } from './products.ts'
import { Hono } from '../../http/hono.ts'
import { queryString } from '../../http/middleware/validate.ts'
import { lazy } from '../../lib/lazy.ts'
import { requireScope } from '../../http/middleware/bearer.ts'
import { contextOf } from '../../http/request-context.ts'
import { slugText } from '../../formats/values.ts'
import { listQuery, toPage } from '../../formats/pages.ts'
import { toProduct } from './product-json.ts'

const listProductsQuery = lazy(() => z.object({ slug: z.optional(slugText()), ...listQuery().shape }))

export const products = new Hono().get(
  '/:store_id/products',
  requireScope('products:read'),
  queryString(listProductsQuery),
  async (c) => c.json(toPage(await listProducts(c.get('db'), contextOf(c), c.req.valid('query')), toProduct)),
)
