/** Stores, as operators create and list them (contract, sections 7 and 14), and what is said about the service as a whole. */
import { LENGTH } from '../../../src/limits.ts'
import { type Row, toRows } from '../rows.ts'
import { missingOf } from './input.ts'
import { PAGE, page } from './lists.ts'
import type { Call, Operation, Outcome } from './operation.ts'
import { iso, type State } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const LOCATIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me']
const IN_EU = /^(weur|eeur)$/

/** A store that is shared has neither a jurisdiction nor a location, and one in the EU is in a location of the EU. */
const checkPlace: Rule = (body) => {
  const { place, jurisdiction, location } = Object(body)
  if (place == null || place === 'shared')
    return Object.entries({ jurisdiction, location }).flatMap(([name, value]) => (value == null ? [] : [name]))
  return place === 'own' && jurisdiction === 'eu' && location != null && !IN_EU.test(location) ? ['location'] : []
}

function create(state: State, { body, drawn, now }: Call): Outcome {
  const { id, name, language, time_zone = 'UTC', place, jurisdiction = null, location = null } = body
  if (state.stores.has(String(id))) return { status: 422, code: 'already_exists', fields: ['id'] }
  const slug = String(id ?? drawn.json['id'])
  const json = {
    id: values.slug(slug, 0).length > 0 ? 'a slug' : slug,
    name,
    language,
    time_zone,
    suspended: false,
    expiry_notice_days: 7,
    place: place ?? 'shared',
    jurisdiction,
    location,
    created_at: iso(now),
  }
  state.stores.set(slug, json)
  if (slug !== state.slug) return { status: 201, body: json }
  state.json = json
  return { status: 201, body: json, events: [{ type: 'store.created', data: { store_id: slug } }] }
}

/** A store with a database of its own reports its changes to the list within this time. */
const REPORTED_MS = 2 * 60_000

/** The stores that the caller may see. What others change in theirs is not known. */
function list(state: State, { caller, drawn, now }: Call): Row[] {
  for (const row of caller.stores ? [] : toRows(drawn.json['data'])) {
    const id = String(row['id'])
    if (!state.stores.has(id)) state.stores.set(id, row)
  }
  const isReported = state.json['place'] !== 'own' || now > state.changedAt + REPORTED_MS
  const rows = [...state.stores.values()].map((row) => (row['id'] === state.slug && isReported ? state.json : row))
  return rows
    .filter(({ id }) => caller.stores === undefined || caller.stores.includes(String(id)))
    .map((row) => {
      const { name: _, language: __, time_zone: ___, suspended: ____, expiry_notice_days: _____, ...constant } = row
      return row === state.json ? row : constant
    })
    .toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))
}

const limited = page(list)
const unlimited = page(list, { mayBeShort: true })

export const STORE_OPERATIONS: Record<string, Operation> = {
  'POST /admin/stores': {
    role: 'admin',
    body: {
      id: values.optional(values.slug),
      name: values.filled(LENGTH.name),
      language: values.language,
      time_zone: values.ifSent(values.timeZone),
      place: values.optional(values.oneOf(['shared', 'own'])),
      jurisdiction: values.optional(values.oneOf(['eu'])),
      location: values.optional(values.oneOf(LOCATIONS)),
    },
    check: checkPlace,
    required: missingOf('name', 'language'),
    takesTime: true,
    perform: create,
  },
  'GET /admin/stores': {
    role: 'viewer',
    query: { ...PAGE, after: values.ifSent(values.slug) },
    perform: (state, call) => (call.caller.stores ? limited : unlimited)(state, call),
  },
  'GET /admin/status': {
    role: 'viewer',
    perform: () => ({ status: 200, body: { database: {}, objects: {}, webhooks: {}, stores: {}, jobs: {} } }),
  },
  'GET /health': { role: 'viewer', perform: () => ({ status: 200, body: { status: 'ok' } }) },
}
