/** The OpenAPI document, built by scripts/build-openapi.ts from the schemas that validate; no part of the Worker. */
import * as z from 'zod'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi'
import { type ErrorCode, ERRORS } from '../errors.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { errorResponses, headerRefs, headers } from './responses.ts'
import { webhooks } from './webhook-operations.ts'

const DESCRIPTION = `Registers a learning platform's users and opens and closes their access to products.

Bodies are JSON in snake_case; times are RFC 3339 in UTC. Every error has the same envelope; branch on \`code\`:

| status | code | meaning |
|---|---|---|
${Object.entries(ERRORS)
  .map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`)
  .join('\n')}`

const PARAMETERS: Record<string, z.ZodType> = {
  store_id: z.string().meta({ description: 'The id of the store.', example: 'demo' }),
  id: z.string().meta({ description: 'The id of the record.', example: '1' }),
  event_id: z.string().meta({ description: 'The id of the event.', example: '1' }),
  key: z.string().meta({ description: 'The key of the custom field.', example: 'field1' }),
}

/** A body may be sent where none is expected, and is judged all the same. */
const OF_EVERY_OPERATION: ErrorCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'internal_error',
  'service_unavailable',
]

export function buildDocument() {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Registrar',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'Where this document comes from.' }],
    tags: [
      { name: 'Users', description: 'Creating users.' },
      { name: 'Product accesses', description: 'Opening and closing access to products.' },
      { name: 'Events', description: 'Following what happens in a store.' },
      { name: 'Access tokens', description: 'What a token may do.' },
      {
        name: 'Operator',
        description: 'What the operator sets up: stores, tokens, custom fields, products, accesses.',
      },
      { name: 'Service', description: 'Of the service itself.' },
    ],
    paths,
    webhooks,
    components: {
      headers,
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', description: 'An access token of a store.' },
        operatorToken: { type: 'http', scheme: 'bearer', description: 'The secret ADMIN_TOKEN.' },
      },
    },
  }
  return createDocument(document, {
    // A z.custom gets its JSON schema from the `.meta` at the end of its chain of checks.
    allowEmptySchema: { custom: true },
    // Zod's patterns only repeat, at length, what the formats say.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  })
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { id, tag, summary, description, auth, pathExample, query, header, body, success, alternative } = operation
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const content = success.schema && { 'application/json': { schema: success.schema } }
  const refs = headerRefs(...(success.headers ?? []))
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security(auth),
    requestParams: {
      ...(names.length > 0 && {
        path: z.object(Object.fromEntries(names.map((name) => [name, parameter(name, pathExample)]))),
      }),
      ...(query && { query }),
      ...(header && { header }),
    },
    ...(body && { requestBody: { required: true, content: { 'application/json': body } } }),
    responses: {
      [success.status]: { description: success.description, headers: refs, ...(content && { content }) },
      ...(alternative && {
        [alternative.status]: { description: alternative.description, headers: refs, ...(content && { content }) },
      }),
      ...errorResponses({
        version: operation.path.startsWith('/v3/') ? 'v3' : 'v1',
        codes: codesOf(operation),
        hides404Code: operation.path.startsWith('/v1/'),
      }),
    },
  }
}

function parameter(name: string, example: string | undefined): z.ZodType {
  const schema = PARAMETERS[name]
  if (!schema) throw new Error(`PARAMETERS lacks ${name}`)
  return name === 'store_id' || example === undefined ? schema : schema.meta({ ...schema.meta(), example })
}

function security(auth: Operation['auth']) {
  if (auth === 'none') return []
  if (auth === 'operator') return [{ operatorToken: [] }]
  return [{ accessToken: auth === 'any token' ? [] : [auth] }]
}

/** The operation's own codes and those of its token, its body and the service, in the order of ERRORS. */
function codesOf({ auth, body, errors }: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([...errors, ...OF_EVERY_OPERATION])
  const add = (...more: ErrorCode[]) => more.forEach((code) => codes.add(code))
  if (auth !== 'none') add('missing_token', 'invalid_token', 'rate_limited')
  if (auth === 'operator') add('route_not_found')
  else if (auth !== 'none' && auth !== 'any token') add('insufficient_scope')
  if (body) add('malformed_body')
  const order = Object.keys(ERRORS)
  return [...codes].toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
}
