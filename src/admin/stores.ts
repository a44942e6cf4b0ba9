import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { formatDateTime } from '../date-time.ts'
import type { Store } from '../db/schema.ts'
import { createStore, getStore, listStores } from '../domain/stores.ts'
import { jsonBody, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { filledText, language, optional, pageQuery, slug } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'

export const createStoreBody = z.object({
  id: optional(slug),
  name: filledText(LENGTH.name),
  language,
})

export const listStoresQuery = pageQuery(slug)

function toStore({ id, name, language, created_at }: Store) {
  return { id, name, language, created_at: formatDateTime(created_at) }
}

export const stores = new Hono<AppEnv>()
  .post('/', jsonBody(createStoreBody), async (c) => {
    const row = await createStore(c.get('db'), { ...c.req.valid('json'), now: c.get('now') })
    return c.json(toStore(row), 201)
  })
  .get('/', queryString(listStoresQuery), async (c) => {
    return c.json(toPage(await listStores(c.get('db'), c.req.valid('query')), toStore))
  })
  .get('/:store_id', async (c) => c.json(toStore(await getStore(c.get('db'), c.req.param('store_id')))))
