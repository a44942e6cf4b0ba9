/** An operation as the document tells of it. What follows from what it is (errors, parameters) is derived, not written. */
import * as z from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import type { Role, Scope } from '../domain/tokens/scopes.ts'
import type { ErrorCode } from '../wire/errors.ts'
import { type Envelope, errorResponses } from './errors.ts'
import { type HeaderName, headerRefs } from './headers.ts'
import { hasRequiredFields, parametersIn, type RequestBody, requestHeaders } from './requests.ts'
import type { Tag } from './tags.ts'

interface Told {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  id: string
  tag: Tag
  summary: string
  description: string
  query?: z.ZodObject
  headers?: (keyof typeof requestHeaders)[]
  body?: RequestBody
  /** By status. */
  answers: Partial<Record<200 | 201 | 204, ZodOpenApiResponseObject>>
  /** Beyond those of its caller, its parameters and its body. */
  errors?: ErrorCode[]
}

export interface Operation extends Told {
  /** Who may call it: a token with this scope, or any token; an operator of this role; everybody. */
  caller: { scope: Scope | null } | { role: Role | 'root' } | 'anyone'
}

/** An operation of the operator API: a viewer may GET, and nothing else. */
export function operatorOperation(told: Told): Operation {
  return { ...told, caller: { role: told.method === 'get' ? 'viewer' : 'admin' } }
}

/** An operation on a store, which tokens call under /v1 and operators under /admin; its path goes on from the store's. */
export function storeOperation({ scope, ...told }: Told & { scope: Scope }): Operation[] {
  return [
    { ...told, path: `/v1/stores/{store_id}${told.path}`, caller: { scope } },
    operatorOperation({
      ...told,
      path: `/admin/stores/{store_id}${told.path}`,
      id: `${told.id}AsOperator`,
      summary: `${told.summary} (operator)`,
    }),
  ]
}

interface AnswerParts<Shown> {
  description: string
  schema: z.ZodType<Shown>
  example: NoInfer<Shown>
  headers?: HeaderName[]
}

/** A JSON answer, which operations share under this name. */
export function answer<Shown>(
  id: string,
  { description, schema, example, headers = [] }: AnswerParts<Shown>,
): ZodOpenApiResponseObject {
  return { id, description, headers: headerRefs(...headers), content: { 'application/json': { schema, example } } }
}

export const done: ZodOpenApiResponseObject = {
  id: 'Done',
  description: 'It is done; there is nothing to show.',
  headers: headerRefs(),
}

export function describeOperation(operation: Operation): ZodOpenApiOperationObject {
  const { id, tag, summary, description, caller, path, query, headers = [], body, answers } = operation
  const inPath = parametersIn(path)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}${asked(caller)}`,
    security: securityOf(caller),
    requestParams: {
      ...(Object.keys(inPath).length > 0 && { path: z.object(inPath) }),
      ...(query && { query }),
      ...(headers.length > 0 && {
        header: z.object(Object.fromEntries(headers.map((name) => [name, requestHeaders[name]]))),
      }),
    },
    ...(body && { requestBody: body.object }),
    responses: { ...answers, ...errorResponses(codesOf(operation), (status) => envelopeOf(operation, status)) },
  }
}

function securityOf(caller: Operation['caller']) {
  if (caller === 'anyone') return []
  return 'role' in caller ? [{ operatorToken: [] }] : [{ accessToken: [] }]
}

/** The scope or the role, in words: the scheme of bearer tokens has no list of scopes that could be referred to. */
function asked(caller: Operation['caller']): string {
  if (caller === 'anyone') return ''
  if ('role' in caller) return `\n\nRole: \`${caller.role}\`.`
  return caller.scope === null ? '' : `\n\nScope: \`${caller.scope}\`.`
}

/** A body may be sent where none is expected, and is judged all the same. */
const OF_EVERY_OPERATION = [
  'https_required',
  'payload_too_large',
  'unsupported_media_type',
  'internal_error',
  'service_unavailable',
] as const satisfies ErrorCode[]

function codesOf({ caller, path, headers = [], body, errors = [] }: Operation): Set<ErrorCode> {
  const codes = new Set<ErrorCode>([...OF_EVERY_OPERATION, ...errors])
  const add = (...more: ErrorCode[]) => more.forEach((code) => codes.add(code))
  // Whoever shows a token is told of a parameter of the query that is not known.
  if (caller !== 'anyone') add('missing_token', 'invalid_token', 'rate_limited', 'invalid_parameter')
  if (caller !== 'anyone' && 'role' in caller) {
    add('insufficient_scope', 'route_not_found')
    if (path.includes('{')) add('not_found')
  } else if (caller !== 'anyone') {
    add('store_suspended')
    if (caller.scope !== null) add('insufficient_scope')
    if (/\{(?!store_id)/.test(path)) add('not_found')
  }
  if (body) add('malformed_body')
  if (body && hasRequiredFields(body.schema)) add('missing_parameter')
  if (headers.includes('X-Idempotency-Key')) add('invalid_header', 'idempotency_key_reused', 'not_found')
  if (headers.includes('If-Match')) add('etag_mismatch')
  return codes
}

function envelopeOf({ method, path }: Operation, status: number): Envelope {
  if (path.startsWith('/v3/')) return 'v3'
  const isUpdate = method === 'put' && path.startsWith('/v1/')
  return isUpdate && status === 404 ? 'v1 without code' : 'v1'
}
