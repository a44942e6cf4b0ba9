import * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import { formatDateTime } from '../date-time.ts'
import type { Store } from '../db/schema.ts'
import { createStore } from '../domain/stores/create.ts'
import { getStore, listStores, updateStore } from '../domain/stores/stores.ts'
import { Hono } from '../http/hono.ts'
import { jsonBody, noQuery, optionalBody, queryString } from '../http/validate.ts'
import { LENGTH, MAX_EXPIRY_NOTICE_DAYS } from '../limits.ts'
import { lazy } from '../lazy.ts'
import { allowAnyOperator } from '../http/bearer.ts'
import { contextOf } from '../http/request-context.ts'
import { filledText, integer, optional, slugText, storeLanguage, trueOrFalse } from '../wire/fields.ts'
import { pageQuery, toPage } from '../wire/pages.ts'

export const createStoreBody = lazy(() =>
  z.strictObject({
    id: optional(slugText()),
    name: filledText(LENGTH.name),
    language: storeLanguage(),
  }),
)

export const updateStoreBody = lazy(() =>
  z.strictObject({
    name: z.optional(filledText(LENGTH.name)),
    language: z.optional(storeLanguage()),
    suspended: z.optional(trueOrFalse()),
    expiry_notice_days: z.optional(integer(0, MAX_EXPIRY_NOTICE_DAYS)),
  }),
)

export const listStoresQuery = lazy(() => pageQuery(slugText()))

export function toStore({ slug, name, language, suspended_at, expiry_notice_days, created_at }: Store) {
  return {
    id: slug,
    name,
    language,
    suspended: suspended_at !== null,
    expiry_notice_days,
    created_at: formatDateTime(created_at),
  }
}

export const stores = new Hono<AppEnv>()
  .post('/', jsonBody(createStoreBody), async (c) => {
    const { id: slug, ...store } = c.req.valid('json')
    return c.json(toStore(await createStore(c.get('db'), contextOf(c), { slug, ...store })), 201)
  })
  .get('/', allowAnyOperator(), queryString(listStoresQuery), async (c) => {
    return c.json(toPage(await listStores(c.get('db'), contextOf(c), c.req.valid('query')), toStore))
  })
  .get('/:store_id', noQuery(), async (c) => c.json(toStore(await getStore(c.get('db'), contextOf(c)))))
  .patch('/:store_id', optionalBody(), jsonBody(updateStoreBody), async (c) => {
    const { suspended, ...fields } = c.req.valid('json')
    return c.json(toStore(await updateStore(c.get('db'), contextOf(c), { suspended, fields })))
  })
