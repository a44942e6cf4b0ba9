/**
 * An operation of the document. Its parameters, its body, who may call it and its errors follow from its route; only the
 * prose, the examples and the successful response are written here.
 */
import * as z from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import type { RouteRequirements } from '../http/route-requirements.ts'
import { requiredRole } from '../http/middleware/bearer.ts'
import type { ErrorCode } from '../error-codes.ts'
import { ALL_CODES, docsOfError, type Envelope, errorResponses, pascalCase } from './errors.ts'
import { type Field, list, nullable, resource, text } from './fields.ts'
import { type HeaderName, headerRefs } from './headers.ts'
import { type BodyProse, hasRequiredFields, parametersIn, queryOf, describeBody, requestHeaders } from './requests.ts'
import type { Tag } from './tags.ts'

interface Prose extends BodyProse {
  /** The method and the path, such as `GET /v1/stores/{store_id}/users`. */
  route: string
  summary: string
  description: string
  /** A sentence for each parameter of the query. */
  query?: Record<string, string>
  /** By status. If it is omitted, the response is 204. */
  responses?: Partial<Record<200 | 201 | 202, ZodOpenApiResponseObject>>
}

export interface Operation extends Route {
  object: ZodOpenApiOperationObject
}

/** Describes operations once the routes are known, by method and path. */
type Describe = (routes: ReadonlyMap<string, Route>) => Operation[]

export function describeOperations(tag: Tag, prose: Record<string, Prose>): [Describe] {
  return [(routes) => describeEach(tag, prose, routes)]
}

function describeEach(tag: Tag, prose: Record<string, Prose>, routes: ReadonlyMap<string, Route>): Operation[] {
  return Object.entries(prose).flatMap(([id, each]) => {
    const route = routes.get(each.route)
    if (!route) throw new Error(`${id}: there is no route ${each.route}`)
    const request = describeRequest(id, route, each)
    // Operators have the operations of a store's tokens under /admin.
    const ofOperators = routes.get(each.route.replace(' /v1/stores/', ' /admin/stores/'))
    const errors = ALL_CODES.filter((code) => docsOfError(code).returnedBy?.includes(id))
    const object = describeOperation(tag, route, { id, errors, ...each, ...request })
    if (!ofOperators || ofOperators === route) return [{ ...route, object }]
    const variant = { id: `${id}AsOperator`, errors, ...each, ...request, summary: `${each.summary} (operator)` }
    const hidden = { ...describeOperation(tag, ofOperators, variant), ...HIDDEN_IN_REFERENCE }
    return [
      { ...route, object: alsoForOperators(object, ofOperators) },
      { ...ofOperators, object: hidden },
    ]
  })
}

/** The document has both operations, and the reference shows the first one for both. */
const HIDDEN_IN_REFERENCE = { 'x-scalar-ignore': true } as const

function alsoForOperators(
  object: ZodOpenApiOperationObject,
  { method, path, scope }: Route,
): ZodOpenApiOperationObject {
  const role = requiredRole(method, scope)
  return {
    ...object,
    description: `${object.description}\n\nAlso for operators: \`${method} ${path}\`, role \`${role}\`.`,
    'x-badges': [{ name: 'Also for operators' }],
  }
}

/** The parts of the request that operations on the same record share: query, headers, body. */
function describeRequest(id: string, { body, isBodyOptional, ...route }: Route, prose: Prose) {
  const query = route.query && queryOf(id, route.query(), prose.query ?? {})
  const isChange = route.method === 'PATCH' || route.method === 'PUT'
  const { headers = [] } = route
  const header = z.object(Object.fromEntries(headers.map((name) => [name, requestHeaders[name]])))
  return {
    parameters: {
      ...(query && Object.keys(query.shape).length > 0 && { query }),
      ...(headers.length > 0 && { header }),
    },
    requestBody:
      body && describeBody(pascalCase(id), body(), { ...prose, isOptional: isBodyOptional === true, isChange }),
  }
}

type Described = Prose & { id: string; errors: ErrorCode[] } & ReturnType<typeof describeRequest>

function describeOperation(tag: Tag, route: Route, prose: Described): ZodOpenApiOperationObject {
  const { id, summary, description, errors, parameters, requestBody, responses = { 204: done } } = prose
  const inPath = parametersIn(route.path)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}${requirementOf(route)}`,
    security: securityOf(route),
    requestParams: { ...(Object.keys(inPath).length > 0 && { path: z.object(inPath) }), ...parameters },
    ...(requestBody && { requestBody }),
    responses: {
      ...responses,
      ...errorResponses(codesOf(route, errors), (status) => envelopeOf(route, status)),
    },
  }
}

function securityOf({ caller }: Route) {
  if (caller === undefined) return []
  return caller === 'operator' ? [{ operatorToken: [] }] : [{ accessToken: [] }]
}

/** The scope or the role, in words: OpenAPI has no list of scopes for bearer tokens. */
function requirementOf({ caller, scope, isRootOnly, isForAnyOperator, method, path }: Route): string {
  if (caller === 'operator') {
    const role = `\n\nRole: \`${isRootOnly ? 'root' : requiredRole(method, scope)}\``
    const isForAll = isRootOnly || isForAnyOperator || path.includes('{store_id}')
    return isForAll ? `${role}.` : `${role}, not limited to stores.`
  }
  return scope === undefined ? '' : `\n\nScope: \`${scope}\`.`
}

/** Body errors are possible for every operation, because a body may be sent to one that takes none. */
const OF_EVERY_OPERATION = [
  'https_required',
  'payload_too_large',
  'unsupported_media_type',
  'internal_error',
  'service_unavailable',
] as const satisfies ErrorCode[]

function codesOf({ caller, method, path, scope, headers, body }: Route, errors: ErrorCode[]): Set<ErrorCode> {
  const codes = new Set<ErrorCode>([...OF_EVERY_OPERATION, ...errors])
  const add = (...more: ErrorCode[]) => more.forEach((code) => codes.add(code))
  if (caller !== undefined) add('missing_token', 'invalid_token', 'rate_limited', 'invalid_parameter')
  if (caller === 'operator') {
    add('insufficient_scope', 'route_not_found')
    if (requiredRole(method) !== 'viewer') add('cross_site')
    if (path.includes('{')) add('not_found')
  } else if (caller === 'access_token') {
    add('store_suspended')
    if (scope !== undefined) add('insufficient_scope')
    if (/\{(?!store_id)/.test(path)) add('not_found')
  }
  if (body) add('malformed_body')
  if (body && hasRequiredFields(body())) add('missing_parameter')
  if (headers?.includes('X-Idempotency-Key')) add('invalid_header', 'idempotency_key_reused', 'not_found')
  if (headers?.includes('If-Match')) add('etag_mismatch')
  return codes
}

function envelopeOf({ method, path }: Route, status: number): Envelope {
  if (path.startsWith('/v3/')) return 'v3'
  const isUpdate = method === 'PUT' && path.startsWith('/v1/')
  return isUpdate && status === 404 ? 'v1 without code' : 'v1'
}

interface ResponseParts {
  headers?: HeaderName[]
  /** Fields of the example that differ from the example of the record. */
  example?: object
}

/** A JSON response, which operations share under this name. */
export function response<T>(
  id: string,
  description: string,
  record: Field<T>,
  { headers = [], example }: ResponseParts = {},
): ZodOpenApiResponseObject {
  const shown: unknown = example ? Object.assign({}, record.example, example) : record.example
  const content = { 'application/json': { schema: record.schema, example: shown } }
  return { id, description, headers: headerRefs(...headers), content }
}

/** What `order` says of a list that is ordered by id. */
export const order = '`desc`: the newest first. If it is omitted, `asc`.'

export function pageResponse<T>(id: string, description: string, record: Field<T>): ZodOpenApiResponseObject {
  const page = resource<{ data: T[]; next: string | null }>(id, description, {
    data: list(record, 'The records of the page, in the order of the list.'),
    next: nullable(text('The `after` of the next page. Null on the last page.')),
  })
  return response(id, description, page)
}

const done: ZodOpenApiResponseObject = {
  id: 'Done',
  description: 'The operation has succeeded. The response has no body.',
  headers: headerRefs(),
}

export interface Route extends RouteRequirements {
  method: string
  /** As the document writes it: `/v1/stores/{store_id}/users`. */
  path: string
}
