import * as z from 'zod/mini'
import type { Bindings } from '../../bindings.ts'
import { formatDateTime } from '../../lib/date-time.ts'
import { storeOf } from '../../db/ids.ts'
import { jurisdictionOf, LOCATIONS, LOCATIONS_IN_EU, type Place, placeOf, PLACES } from '../../db/places.ts'
import type { Store } from '../../db/schema/stores.ts'
import { createOwnStore } from '../store-directory/create-own-store.ts'
import { createStore, randomSlug } from './create-store.ts'
import { getStore, listStores, updateStore } from './stores.ts'
import { type Context, Hono } from '../../http/hono.ts'
import { storeDbsOf } from '../store-directory/open-store-middleware.ts'
import { echo } from '../../http/echo.ts'
import { jsonBody, noQuery, optionalBody, queryString } from '../../http/middleware/validate.ts'
import { LENGTH, MAX_EXPIRY_NOTICE_DAYS } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import type { Detail } from '../../http/errors/api-error.ts'
import { allowAnyOperator } from '../../http/middleware/bearer.ts'
import { contextOf } from '../../http/request-context.ts'
import {
  filledText,
  integer,
  oneOf,
  optional,
  slugText,
  storeLanguage,
  timeZoneName,
  trueOrFalse,
} from '../../formats/values.ts'
import { pageQuery, toPage } from '../../formats/pages.ts'

const createStoreBody = lazy(() =>
  z.strictObject({
    id: optional(slugText()),
    name: filledText(LENGTH.name),
    language: storeLanguage(),
    time_zone: z.optional(timeZoneName()),
    place: optional(oneOf(PLACES)),
    jurisdiction: z.optional(z.nullable(oneOf(['eu']))),
    location: z.optional(z.nullable(oneOf(LOCATIONS))),
  }),
)

const updateStoreBody = lazy(() =>
  z.strictObject({
    name: z.optional(filledText(LENGTH.name)),
    language: z.optional(storeLanguage()),
    time_zone: z.optional(timeZoneName()),
    suspended: z.optional(trueOrFalse()),
    expiry_notice_days: z.optional(integer(0, MAX_EXPIRY_NOTICE_DAYS)),
  }),
)

const listStoresQuery = lazy(() => pageQuery(slugText()))

export function toStore({ id, slug, name, language, time_zone, suspended_at, location, ...row }: Store) {
  return {
    id: slug,
    name,
    language,
    time_zone,
    suspended: suspended_at !== null,
    expiry_notice_days: row.expiry_notice_days,
    place: placeOf(storeOf(id)),
    jurisdiction: jurisdictionOf(storeOf(id)),
    location,
    created_at: formatDateTime(row.created_at),
  }
}

/** A store that is shared has neither a jurisdiction nor a location, and one in the EU is in a location of the EU. */
function placeProblems(c: Context, body: Record<string, unknown>): Detail[] {
  const { place, jurisdiction = null, location = null } = body
  if ((place ?? defaultPlace(c.env)) === 'shared') {
    const explanation = 'is allowed only for a store with the place own'
    return Object.entries({ jurisdiction, location })
      .filter(([, value]) => value !== null)
      .map(([field, value]) => ({ field, value: echo([field], value), explanation }))
  }
  if (jurisdiction !== 'eu' || location === null || LOCATIONS_IN_EU.some((inEU) => inEU === location)) return []
  const explanation = `must be ${LOCATIONS_IN_EU.join(' or ')} for a store in the EU`
  return [{ field: 'location', value: echo(['location'], location), explanation }]
}

function defaultPlace({ DEFAULT_PLACE }: Bindings): Place {
  return PLACES.find((place) => place === DEFAULT_PLACE) ?? 'shared'
}

export const stores = new Hono()
  .post('/', jsonBody(createStoreBody, { check: placeProblems }), async (c) => {
    const { id: slug = randomSlug(), place = defaultPlace(c.env), ...fields } = c.req.valid('json')
    const { name, language, time_zone = 'UTC', jurisdiction = null, location = null } = fields
    const store = { slug, name, language, time_zone }
    const created =
      place === 'own'
        ? createOwnStore(storeDbsOf(c), contextOf(c), { ...store, jurisdiction, location })
        : createStore(c.get('db'), contextOf(c), store)
    return c.json(toStore(await created), 201)
  })
  .get('/', allowAnyOperator(), queryString(listStoresQuery), async (c) => {
    return c.json(toPage(await listStores(c.get('db'), contextOf(c), c.req.valid('query')), toStore))
  })
  .get('/:store_id', noQuery(), async (c) => c.json(toStore(await getStore(c.get('db'), contextOf(c)))))
  .patch('/:store_id', optionalBody(updateStoreBody), async (c) => {
    const { suspended, ...fields } = c.req.valid('json')
    return c.json(toStore(await updateStore(c.get('db'), contextOf(c), { suspended, fields })))
  })
