/** The OpenAPI document, which scripts/build-openapi.ts writes; no part of the Worker. */
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi'
import { ERRORS } from '../wire/errors.ts'
import { isObject } from '../json.ts'
import { accessTokens } from './access-tokens.ts'
import { batches } from './batches.ts'
import { csvFiles } from './csv-files.ts'
import { customFields } from './custom-fields.ts'
import { events, webhooks } from './events.ts'
import { headers } from './headers.ts'
import { describeOperation, type Operation } from './operation.ts'
import { operators } from './operators.ts'
import { productAccesses } from './product-accesses.ts'
import { printJson } from './print-json.ts'
import { products } from './products.ts'
import { publicUsers } from './public-users.ts'
import { service } from './service.ts'
import { statistics } from './stats.ts'
import { stores } from './stores.ts'
import { tagGroups, tags } from './tags.ts'
import { users } from './users.ts'
import { webhookDeliveries } from './webhook-deliveries.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

/** docs/guide.md, which the reference shows as its first page, without its title, and every code. */
function describe(guide: string): string {
  const codes = Object.entries(ERRORS).map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`)
  const body = guide.replace(/^# .*\n+/, '')
  return `${body}\n## Error codes\n\n| status | code | meaning |\n|---|---|---|\n${codes.join('\n')}`
}

const operations: Operation[] = [
  ...publicUsers,
  ...users,
  ...productAccesses,
  ...batches,
  ...csvFiles,
  ...events,
  ...accessTokens,
  ...stores,
  ...statistics,
  ...customFields,
  ...products,
  ...webhookEndpoints,
  ...webhookDeliveries,
  ...operators,
  ...service,
]

function pathsOf(all: Operation[]) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const operation of all) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation) }
  }
  return paths
}

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token of a store, `rgs_…`. Each operation names the scope that the token needs. Whatever an operator changes of a token counts with the next request.',
  },
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      "The secret `ADMIN_TOKEN` (the root), or an operator's own token, `rgo_…`. Each operation names the role that it asks for: an `admin` may do what a `viewer` may, and the root everything.",
  },
} as const

function buildDocument(guide: string) {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Registrar',
        version: '1.0.0',
        description: describe(guide),
        contact: { name: 'Whoever runs this service' },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'Where this document comes from.' }],
      tags: [...tags],
      'x-tagGroups': tagGroups,
      paths: pathsOf(operations),
      webhooks,
      components: { headers, securitySchemes },
    },
    {
      // A z.custom gets its JSON schema from the `.meta` at the end of its chain of checks.
      allowEmptySchema: { custom: true },
      override: ({ jsonSchema, io }) => {
        // Zod's patterns only repeat, at length, what the formats say.
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
          delete jsonSchema.minimum
          delete jsonSchema.maximum
        }
        // Answers may gain fields.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        if ('example' in jsonSchema) {
          jsonSchema.examples = [jsonSchema.example]
          delete jsonSchema.example
        }
      },
    },
  )
}

/** `anyOf` of one kind and null, as one schema with two types. */
function withoutNullUnions(_key: string, value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value['anyOf']) || value['anyOf'].length !== 2) return value
  const {
    anyOf: [kind, none],
    ...rest
  } = value
  if (!isObject(kind) || !isObject(none) || none['type'] !== 'null' || typeof kind['type'] !== 'string') return value
  const values = Array.isArray(kind['enum']) ? { enum: [...kind['enum'], null] } : {}
  return { ...kind, ...values, ...rest, type: [kind['type'], 'null'] }
}

/** The document as the file holds it. */
export function documentText(guide: string): string {
  const document: unknown = JSON.parse(JSON.stringify(buildDocument(guide)), withoutNullUnions)
  return `${printJson(document)}\n`
}
