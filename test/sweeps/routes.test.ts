/**
 * What holds on every route, and a new route is tested without being added here. That each has its middleware in the right
 * order is shown by structure; what the middleware does is tested on one route of each kind.
 */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { requirementsOf, type RouteRequirements } from '../../src/http/route-requirements.ts'
import { ALL_SCOPES, call, newStore, newToken, summary, useStore } from '../support/api.ts'
import { faultyD1, loses } from '../support/faults.ts'
import {
  bodyFor,
  envelopeOf,
  isAdmin,
  isPublic,
  isSpecified,
  keysOf,
  needsNoBody,
  pathOf,
  type Route,
  routesWhere,
  scopeOf,
  takesBody,
  tokenFor,
} from '../support/routes.ts'
import { changeToken, eventsOf, revokeToken, suspendStore, type TestStore } from '../support/rows.ts'

const ALL = routesWhere()
const GUARDED = routesWhere((route) => !isPublic(route))
const OF_TOKENS = routesWhere((route) => !isPublic(route) && !isAdmin(route))
const OF_STORES = routesWhere((route) => !isAdmin(route) && route.path.includes(':store_id'))
const SCOPED = OF_TOKENS.filter(([, route]) => scopeOf(route) !== undefined)
const WITH_BODY = routesWhere(takesBody)

/** One of each kind. */
const SAMPLES = new Set([
  'POST /v1/stores/:store_id/users',
  'GET /v1/stores/:store_id/users',
  'POST /v3/public/users',
  'POST /admin/stores/:store_id/users',
  'GET /admin/stores/:store_id',
  'DELETE /admin/stores/:store_id/tokens/:id',
])
const SAMPLED = ALL.filter(([name]) => SAMPLES.has(name))
const SAMPLED_OF_TOKENS = SAMPLED.filter(([, route]) => !isAdmin(route))

const CHALLENGE = 'Bearer realm="registrar"'
const SPENT = { limit: () => Promise.resolve({ success: false }) }

const store = useStore()
const other = useStore()
const suspended = useStore()

beforeAll(async () => {
  await suspendStore(suspended)
})

/** Sends the request that the caller of the route would send for this store. */
function send(route: Route, options: { store?: TestStore; query?: string; bindings?: object } = {}) {
  const { store: own = store, query = '', bindings = {} } = options
  return call(route.method, pathOf(route, own) + query, { token: tokenFor(route, own), body: bodyFor(route), bindings })
}

/** What the router runs for a request of the route, in order: the names, and what each requires. */
function handlersOf(route: Route): { name: string; requires: RouteRequirements }[] {
  const [handlers] = app.router.match(route.method, pathOf(route, { id: 'x' }))
  const own = handlers.filter(([[, { method, path }]]) => method === 'ALL' || path === route.path)
  return own.map(([[, { handler }]]) => ({ name: handler.name, requires: requirementsOf(handler) }))
}

const BEFORE_ROUTE = ['startRequest', 'dropUnreadBody', 'logRequest', 'requireHttps']
/** What a route adds, in this order: the rights of the caller, headers, the turn, the body or the query. */
const OWN = [
  ['requireScope', 'requireRoot', 'allowAnyOperator', 'requireCurrentSecret'],
  ['idempotencyKey'],
  ['ifMatch'],
  ['takeTurn'],
  ['validated input'],
]

describe('The middleware of every route', () => {
  it.each(GUARDED)('of %s is complete and in order', (_, route) => {
    const names = handlersOf(route).map(({ name, requires: { body, query } }) =>
      body || query ? 'validated input' : name,
    )
    // It only notes which field the errors omit; the tests below look at the bodies.
    const shared = names.filter((name) => name !== 'errorsWithout')
    const expected = isAdmin(route)
      ? [
          ...BEFORE_ROUTE,
          'hideAdminWithoutSecret',
          'onlyServed',
          'signOn',
          'bearer',
          'receiveBody',
          'findSignedOnOperator',
          ...(route.path.includes('/:store_id') ? ['openStoreOfPath'] : []),
        ]
      : [...BEFORE_ROUTE, 'onlyServed', 'bearer', 'openStoreOfToken', 'receiveBody']
    expected.push('workAfterResponse')
    expect(shared.slice(0, expected.length)).toEqual(expected)
    const own = shared.slice(expected.length, -1)
    const ranks = own.map((name) => OWN.findIndex((same) => same.includes(name)))
    expect(ranks).not.toContain(-1)
    expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b))
  })

  it.each(GUARDED)('of %s asks for the caller, the scope and one validated input', (_, route) => {
    const requires = handlersOf(route).map((handler) => handler.requires)
    expect(requires.flatMap(({ caller = [] }) => caller)).toEqual([isAdmin(route) ? 'operator' : 'access_token'])
    const isOfV1 = !isAdmin(route) || OF_TOKENS.some(([name]) => name === `${route.method} ${inV1(route)}`)
    const scope = isOfV1 ? scopeOf(route) : undefined
    expect(requires.flatMap((each) => each.scope ?? [])).toEqual(scope === undefined ? [] : [scope])
    expect(requires.filter(({ body, query }) => body ?? query).map(({ body }) => body !== undefined)).toEqual([
      takesBody(route),
    ])
  })

  it('is without a token for the pages, the document and the health check only', () => {
    expect(ALL.filter(([, route]) => isPublic(route)).map(([, { method }]) => method)).toEqual(
      Array(ALL.length - GUARDED.length).fill('GET'),
    )
  })
})

/** The path of the same operation in v1, if there is one. */
function inV1({ path }: Route): string {
  return path.replace(/^\/admin\//, '/v1/')
}

describe('Every route that requires a token', () => {
  it.each(GUARDED)('%s returns 401 without a token', async (_, route) => {
    const answer = await call(route.method, pathOf(route, store), { body: bodyFor(route) })
    expect(summary(answer)).toBe('401 missing_token')
    expect(answer.headers.get('WWW-Authenticate')).toBe(CHALLENGE)
    expect(keysOf(answer)).toEqual(envelopeOf(route.path))
  })

  it.each(SAMPLED)('%s returns 401 to a forged token without a round trip', async (_, route) => {
    const tokens = [`rgs_1_2_${'A'.repeat(86)}`, `rgo_0_2_${'A'.repeat(86)}`, `${store.token.slice(0, -1)}~`]
    for (const token of tokens) {
      const { DB, roundTrips } = faultyD1(env.DB)
      const answer = await call(route.method, pathOf(route, store), { token, body: bodyFor(route), bindings: { DB } })
      expect(summary(answer)).toBe('401 invalid_token')
      expect(answer.headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`)
      expect(keysOf(answer)).toEqual(envelopeOf(route.path))
      expect(roundTrips()).toBe(0)
    }
  })

  it.each(GUARDED)('%s returns 401 to a token of the other kind', async (_, route) => {
    const token = isAdmin(route) ? store.token : env.ADMIN_TOKEN
    expect(summary(await call(route.method, pathOf(route, store), { token, body: bodyFor(route) }))).toBe(
      '401 invalid_token',
    )
  })

  it.each(OF_STORES)('%s returns 401 to a token of another store', async (_, route) => {
    for (const id of [other.id, 'nobody']) {
      const answer = await send(route, { store: { id, token: store.token } })
      expect(summary(answer)).toBe('401 invalid_token')
      expect(answer.headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`)
    }
  })

  it.each(SAMPLED_OF_TOKENS)(
    '%s returns 401 to a revoked and to an expired token, whatever the query and body',
    async (_, route) => {
      for (const end of [revokeToken, (own: TestStore) => changeToken(own, { expires_at: Date.now() - 1 })]) {
        const own = await newStore()
        await end(own)
        const before = await eventsOf(own)
        for (const [query, body] of [
          ['', bodyFor(route)],
          ['?nonsense=1', bodyFor(route)],
          ['', takesBody(route) ? '{' : undefined],
        ] as const) {
          const answer = await call(route.method, pathOf(route, own) + query, { token: own.token, body })
          expect(summary(answer)).toBe('401 invalid_token')
          expect(keysOf(answer)).toEqual(envelopeOf(route.path))
        }
        expect(await eventsOf(own)).toEqual(before)
      }
    },
  )

  it.each(OF_TOKENS)('%s returns 403 while the store is suspended, whatever the body', async (_, route) => {
    for (const body of [bodyFor(route), takesBody(route) ? '{' : undefined]) {
      const answer = await call(route.method, pathOf(route, suspended), { token: suspended.token, body })
      expect(summary(answer)).toBe('403 store_suspended')
      expect(answer.headers.has('WWW-Authenticate')).toBe(false)
      expect(keysOf(answer)).toEqual(envelopeOf(route.path))
    }
  })

  it.each(SCOPED)(
    '%s returns 403 to a token with all scopes but the required one, and accepts a token with only that one',
    async (_, route) => {
      const scope = scopeOf(route) ?? ''
      const { token } = await newToken(store, { scopes: ALL_SCOPES.filter((other) => other !== scope) })
      const answer = await send(route, { store: { ...store, token } })
      expect(summary(answer)).toBe('403 insufficient_scope')
      expect(answer.headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="insufficient_scope", scope="${scope}"`)
      expect(keysOf(answer)).toEqual(envelopeOf(route.path))
      const own = { ...store, token: (await newToken(store, { scopes: [scope] })).token }
      expect([401, 403]).not.toContain((await send(route, { store: own })).status)
    },
  )

  it.each(GUARDED.filter(([, route]) => isSpecified(route)))(
    '%s ignores unknown query parameters',
    async (_, route) => {
      const answer = await send(route, { query: '?nonsense=1&nonsense=2' })
      const unknownAccess = isAdmin(route) ? '404 not_found' : '404'
      expect(summary(answer)).toBe(route.method === 'PUT' ? unknownAccess : '201')
    },
  )

  it.each(GUARDED.filter(([, route]) => !isSpecified(route)))(
    '%s rejects an unknown query parameter',
    async (_, route) => {
      const answer = await send(route, { query: '?nonsense=1&nonsense=2' })
      // A missing field in the body is reported before an invalid parameter.
      const expected =
        route.method === 'GET' || route.method === 'DELETE'
          ? /^422 invalid_parameter: nonsense$/
          : /^(400 missing_parameter|422 invalid_parameter: (.*, )?nonsense$)/
      expect(summary(answer)).toMatch(expected)
    },
  )

  it.each(SAMPLED)('%s returns 429 beyond the quota without a round trip', async (_, route) => {
    const { DB, roundTrips } = faultyD1(env.DB)
    const answer = await send(route, { bindings: { TOKEN_LIMITER: SPENT, DB } })
    expect(summary(answer)).toBe('429 rate_limited')
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(answer.headers.get('RateLimit-Policy')).toMatch(/^"\w+";q=600;w=60$/)
    expect(keysOf(answer)).toEqual(envelopeOf(route.path))
    expect(roundTrips()).toBe(0)
  })
})

describe('A route while D1 fails', () => {
  const SECRET = 'D1_ERROR: no such column: secret_column in select password_hash from users: SQLITE_ERROR'

  it.each(SAMPLED)('%s returns 503 and Retry-After, never 401', async (_, route) => {
    const overloaded = { when: 'before', message: 'D1_ERROR: D1 DB is overloaded. secret_column' } as const
    for (const fault of [() => overloaded, loses('before')]) {
      const answer = await send(route, { bindings: { DB: faultyD1(env.DB, fault).DB } })
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
      expect(keysOf(answer)).toEqual(envelopeOf(route.path))
      expect(answer.text).not.toMatch(/secret_column|D1|overloaded|example\.com/)
    }
  })

  it.each(SAMPLED)('%s returns 500 for an unknown error and reveals nothing of it', async (_, route) => {
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ when: 'before', message: SECRET }))
    const answer = await send(route, { bindings: { DB } })
    expect(summary(answer)).toBe('500 internal_error')
    expect(roundTrips()).toBe(1)
    expect(keysOf(answer)).toEqual(envelopeOf(route.path))
    const everything = answer.text + JSON.stringify([...answer.headers])
    expect(everything).not.toMatch(/secret_column|D1|SQL|select|password|example\.com|\.ts|\n|Error:/)
  })
})

describe('A route before it asks the database', () => {
  /** A batch may have a larger body. */
  const notGet = ALL.filter(([name, { method }]) => method !== 'GET' && (SAMPLES.has(name) || name.endsWith('/batch')))

  it.each(notGet)('%s returns 415 for another media type', async (_, route) => {
    const options = { token: tokenFor(route, store), headers: { 'Content-Type': 'text/plain' }, body: '{}' }
    const answer = await call(route.method, pathOf(route, store), options)
    expect(summary(answer)).toBe('415 unsupported_media_type')
    expect(keysOf(answer)).toEqual(envelopeOf(route.path))
  })

  it.each(SAMPLED)('%s returns 415 for any Content-Encoding', async (_, route) => {
    const options = { token: tokenFor(route, store), headers: { 'Content-Encoding': 'gzip' } }
    const answer = await call(route.method, pathOf(route, store), options)
    expect(summary(answer)).toBe('415 unsupported_media_type')
    expect(keysOf(answer)).toEqual(envelopeOf(route.path))
  })

  it.each(notGet)('%s returns 413 for a body that is too large', async (_, route) => {
    const limit = route.path.endsWith('/batch') ? 1_048_576 : 65_536
    const options = { token: tokenFor(route, store), body: 'x'.repeat(limit + 1) }
    const answer = await call(route.method, pathOf(route, store), options)
    expect(summary(answer)).toBe('413 payload_too_large')
    expect(keysOf(answer)).toEqual(envelopeOf(route.path))
  })

  it.each([...SAMPLED, ...ALL.filter(([name]) => name.endsWith('/revoke_all'))])(
    '%s returns 405 and Allow for OPTIONS and other methods',
    async (_, route) => {
      const target = pathOf(route, store)
      // If two patterns match a path, Allow contains the methods of both.
      const served = ALL.filter(([, { path }]) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(target))
      const methods = new Set(served.map(([, { method }]) => method))
      const allowed = [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].toSorted()
      const others = ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (method) => !allowed.includes(method),
      )
      for (const method of others) {
        const headers = { 'Access-Control-Request-Method': 'POST' }
        const answer = await call(method, target, { headers })
        expect(answer.status).toBe(405)
        expect(answer.headers.get('Allow')?.split(', ').toSorted()).toEqual(allowed)
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
        expect(answer.text === '' ? [] : keysOf(answer)).toEqual(method === 'HEAD' ? [] : envelopeOf(route.path))
      }
    },
  )
})

describe('Every route with a body', () => {
  it.each(WITH_BODY)('%s returns 400 for a body that is not a JSON object', async (_, route) => {
    for (const body of ['{', '[]', '\ufeff{}', ...(needsNoBody(route) ? [] : ['', undefined])]) {
      const answer = await call(route.method, pathOf(route, store), { token: tokenFor(route, store), body })
      expect(summary(answer)).toBe('400 malformed_body: body')
      expect(keysOf(answer)).toEqual(envelopeOf(route.path, 'details'))
    }
  })

  const OF_THE_SPEC = /(\/v3\/public\/users|\/users|\/product_accesses\/:id)$/

  it.each(WITH_BODY)(
    '%s rejects an unknown field, unless it is an operation of the specification',
    async (_, route) => {
      const isLenient = OF_THE_SPEC.test(route.path) && route.method !== 'PATCH'
      const body = { ...bodyFor(route), nonsense: 1 }
      const answer = await call(route.method, pathOf(route, store), { token: tokenFor(route, store), body })
      const expected = isLenient ? /^(201|404)/ : /^(400 missing_parameter|422 invalid_parameter: (.*, )?nonsense$)/
      expect(summary(answer)).toMatch(expected)
    },
  )
})

describe('A route that serves GET', () => {
  it.each(SAMPLED.filter(([, { method }]) => method === 'GET'))(
    '%s serves HEAD with the headers of GET',
    async (_, route) => {
      const token = tokenFor(route, store)
      const [get, head] = [
        await call('GET', pathOf(route, store), { token }),
        await call('HEAD', pathOf(route, store), { token }),
      ]
      expect(head.status).toBe(get.status)
      expect(head.text).toBe('')
      expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'))
    },
  )
})
