import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { formatDateTime } from '../date-time.ts'
import type { Store } from '../db/schema.ts'
import { createStore, getStore, listStores } from '../domain/stores.ts'
import { jsonBody, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { filledText, language, optional, pageQuery, slug } from '../wire/fields.ts'
import { page, toPage } from '../wire/pages.ts'

export const createStoreBody = z.object({
  id: optional(slug),
  name: filledText(LENGTH.name),
  language,
})

export const listStoresQuery = pageQuery(slug)

export const store = z
  .object({ id: z.string(), name: z.string(), language: z.string(), created_at: z.iso.datetime() })
  .meta({
    id: 'Store',
    example: { id: 'demo', name: 'Demo academy', language: 'EN', created_at: '2026-11-21T09:30:00.000Z' },
  })

export const storePage = page(store)

function toStore({ id, name, language, created_at }: Store): z.input<typeof store> {
  return { id, name, language, created_at: formatDateTime(created_at) }
}

export const stores = new Hono<AppEnv>()
  .post('/', jsonBody(createStoreBody), async (c) => {
    const row = await createStore(c.var.db, { ...c.req.valid('json'), now: c.var.now })
    return c.json(toStore(row), 201)
  })
  .get('/', queryString(listStoresQuery), async (c) => {
    return c.json(toPage(await listStores(c.var.db, c.req.valid('query')), toStore))
  })
  .get('/:store_id', async (c) => c.json(toStore(await getStore(c.var.db, c.req.param('store_id')))))
