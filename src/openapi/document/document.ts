/** The OpenAPI document. `npm run generate` writes it. The Worker does not load this folder, nor a docs.ts of a room. */
import { version } from '../../../package.json'
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi'
import { ERRORS } from '../../error-codes.ts'
import { isObject } from '../../lib/json.ts'
import { accessTokens } from '../../modules/tokens/docs.ts'
import { batches } from './batch-docs.ts'
import { bulkChanges } from '../../modules/bulk-changes/docs.ts'
import { csvFiles } from '../../modules/csv-files/docs.ts'
import { customFields } from '../../modules/custom-fields/docs.ts'
import { events } from '../../modules/events/docs.ts'
import { webhooks } from '../../modules/webhooks/deliveries/received-docs.ts'
import { schemas } from '../fields.ts'
import { headers } from '../headers.ts'
import type { Operation } from '../operation.ts'
import { operators } from '../../modules/operators/docs.ts'
import { productAccesses } from '../../modules/accesses/docs.ts'
import { printJson } from './print-json.ts'
import { products } from '../../modules/products/docs.ts'
import { publicUsers } from '../../modules/users/public-docs.ts'
import { routes } from './routes.ts'
import { service } from '../../modules/status/docs.ts'
import { statistics } from '../../modules/statistics/docs.ts'
import { stores } from '../../modules/stores/docs.ts'
import { tagGroups, tags } from '../tags.ts'
import { users } from '../../modules/users/docs.ts'
import { webhookDeliveries, webhookTest } from '../../modules/webhooks/deliveries/docs.ts'
import { webhookEndpoints } from '../../modules/webhooks/docs.ts'

const PAGES = `This is the reference of every operation, after a guide. There are pages on [users, batches, repetitions](integrators.md), [events and webhooks](events.md), [errors](errors.md) and [what may change](changes.md). To use the API in Postman, Insomnia or Bruno, import <http://localhost:8787/openapi.json>.`

/** The first page of the reference: where else to read, docs/guide.md without its title, and every error code. */
function describe(guide: string): string {
  const codes = Object.entries(ERRORS).map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`)
  const body = guide.replace(/^# .*\n+/, '')
  return `${PAGES}\n\n${body}\n## Error codes\n\n| status | code | meaning |\n|---|---|---|\n${codes.join('\n')}`
}

const byResource = [
  ...publicUsers,
  ...users,
  ...productAccesses,
  ...batches,
  ...bulkChanges,
  ...csvFiles,
  ...events,
  ...accessTokens,
  ...stores,
  ...statistics,
  ...customFields,
  ...products,
  ...webhookEndpoints,
  ...webhookTest,
  ...webhookDeliveries,
  ...operators,
  ...service,
]

const operations: Operation[] = byResource.flatMap((operationsOf) => operationsOf(routes))

/** Served, but no operation of the API. */
const PAGE = /^\/(docs.*|console.*|openapi\.json|llms\.txt|\.well-known.*)?$/

function requireDescriptions(): void {
  const described = new Set(operations.map(({ method, path }) => `${method} ${path}`))
  const missing = [...routes].filter(([name, { path }]) => !described.has(name) && !PAGE.test(path))
  if (missing.length > 0) throw new Error(`no docs.ts describes ${missing.map(([name]) => name).join(', ')}`)
}

function pathsOf(all: Operation[]) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const { method, path, object } of all) paths[path] = { ...paths[path], [method.toLowerCase()]: object }
  return paths
}

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token of a store, `rgs_…`. Each operation names the scope that the token needs. When an operator changes a token, the change applies from the next request.',
  },
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      "The secret `ADMIN_TOKEN` (the root), or an operator's own token, `rgo_…`. Each operation names the role that it requires. `office` may do what a `viewer` may, an `admin` what `office` may, and the root may do everything.",
  },
} as const

function buildDocument(guide: string) {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Registrar',
        version,
        description: describe(guide),
        contact: { name: 'The operator of this service' },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'The service that serves this document.' }],
      tags: [...tags],
      'x-tagGroups': tagGroups,
      paths: pathsOf(operations),
      webhooks,
      components: { schemas, headers, securitySchemes },
    },
    {
      // A z.custom gets its JSON schema from the `.meta` at the end of its chain of checks.
      allowEmptySchema: { custom: true },
      override: ({ jsonSchema }) => {
        // Zod's patterns only repeat, at length, what the formats say.
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern
        if (jsonSchema.multipleOf === 1) {
          jsonSchema.type = 'integer'
          delete jsonSchema.multipleOf
        }
        if ('example' in jsonSchema) {
          jsonSchema.examples = [jsonSchema.example]
          delete jsonSchema.example
        }
      },
    },
  )
}

/** Writes `anyOf` of a type and null as one schema with two types. An enum stays: generators take its null for a string. */
function withoutNullUnions(_key: string, value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value['anyOf']) || value['anyOf'].length !== 2) return value
  const {
    anyOf: [kind, none],
    ...rest
  } = value
  if (!isObject(kind) || !isObject(none) || none['type'] !== 'null' || typeof kind['type'] !== 'string') return value
  if (Array.isArray(kind['enum'])) return value
  return { ...kind, ...rest, type: [kind['type'], 'null'] }
}

/** Components are sorted by name, or a change of the order in which they are registered would show in the document. */
function sortComponents(document: unknown): unknown {
  if (!isObject(document) || !isObject(document['components'])) return document
  const kinds = Object.entries(document['components']).map(([kind, named]) => [kind, sortKeys(named)])
  return { ...document, components: Object.fromEntries(kinds) }
}

function sortKeys(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export function documentText(guide: string): string {
  requireDescriptions()
  const document: unknown = JSON.parse(JSON.stringify(buildDocument(guide)), withoutNullUnions)
  return `${printJson(sortComponents(document))}\n`
}
