import { inspectRoutes } from 'hono/dev'
import { describe, expect, it } from 'vitest'
import { app } from '../../../src/app.ts'
import document from '../../../src/assets/openapi.json'
import { errorKinds, ERRORS } from '../../../src/error-codes.ts'
import { operations, schemas, webhooks } from '../../support/document.ts'
import { findErrors } from '../../support/openapi.ts'

const named = operations.map((each) => [`${each.method.toUpperCase()} ${each.path}`, each.operation] as const)

/** Returns the bodies of the request or of its responses, by media type. */
function contentsOf({ requestBody, responses = {} }: any): any[] {
  return [requestBody, ...Object.values<any>(responses)].flatMap((part) => Object.values<any>(part?.content ?? {}))
}

function examplesOf({ example, examples = {}, schema }: any): unknown[] {
  const several = Object.values<any>(examples).map(({ value }) => value)
  return [...(example === undefined ? [] : [example]), ...several, ...(schema?.examples ?? [])]
}

/** Returns each schema within a schema, with its path. */
function* fieldsOf(schema: any, where: string): Generator<[string, any]> {
  for (const [name, field] of Object.entries<any>(schema.properties ?? {})) {
    yield [`${where}.${name}`, field]
    yield* fieldsOf(field, `${where}.${name}`)
  }
  for (const part of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (typeof part === 'object') yield* fieldsOf(part, where)
  }
}

/** A description must be longer than three characters, or it only repeats the name. */
function tells(description: unknown): boolean {
  return typeof description === 'string' && description.length > 3
}

describe('The operations of the document', () => {
  it('are exactly the routes of the service', () => {
    const isOwnPage = (path: string) => /^\/(docs.*|console.*|openapi\.json|llms\.txt|\.well-known.*)?$/.test(path)
    const routes = inspectRoutes(app)
      .filter(({ method, path }) => method !== 'ALL' && !isOwnPage(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(named.map(([name]) => name).toSorted()).toEqual([...new Set(routes)].toSorted())
  })

  it('have unique ids', () => {
    const ids = [...operations.map(({ operation }) => operation), ...webhooks.map(([, post]) => post)].map(
      ({ operationId }) => operationId,
    )
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/)
  })

  it.each(named)('%s has a summary, a description and one tag of the document', (_, operation) => {
    expect(tells(operation.summary)).toBe(true)
    expect(tells(operation.description)).toBe(true)
    const tags = new Set<string>(document.tags.map(({ name }) => name))
    expect(operation.tags.filter((tag: string) => !tags.has(tag))).toEqual([])
    expect(operation.tags).toHaveLength(1)
  })

  it.each(named)('%s describes its parameters, including all in its path', (name, operation) => {
    const parameters: any[] = operation.parameters ?? []
    expect(parameters.filter(({ in: place }) => place === 'path').map((parameter) => parameter.name)).toEqual(
      [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
    )
    expect(parameters.filter(({ description }) => !tells(description)).map((each) => each.name)).toEqual([])
  })

  it('have no required query parameter', () => {
    const parameters: any[] = Object.values(document.components.parameters)
    expect(parameters.filter((parameter) => parameter.in === 'query' && parameter.required)).toEqual([])
  })

  it.each(named)('%s requires the token of its kind', (name, operation) => {
    const schemes = operation.security.flatMap((scheme: object) => Object.keys(scheme))
    const ofKind = name.includes(' /admin') ? ['operatorToken'] : ['accessToken']
    expect(schemes).toEqual(name === 'GET /health' ? [] : ofKind)
  })
})

describe('The bodies of the document', () => {
  it.each(named)('of %s each have valid examples', (_, operation) => {
    for (const content of contentsOf(operation)) {
      const examples = examplesOf(content)
      expect(examples.length).toBeGreaterThan(0)
      expect(examples.flatMap((example) => findErrors(content.schema, example))).toEqual([])
    }
  })

  it.each(schemas)('of the schema %s have a description for each field', (name, schema) => {
    const silent = [...fieldsOf(schema, name)].filter(([, field]) => !tells(field.description))
    expect(silent.map(([where]) => where)).toEqual([])
  })

  it.each(webhooks)('of the webhook %s have one valid example', (_, post) => {
    const { schema } = post.requestBody.content['application/json']
    expect(schema.examples).toHaveLength(1)
    expect(findErrors(schema, schema.examples[0])).toEqual([])
  })
})

describe('The schemas of the document', () => {
  it('have no name that hides a global of TypeScript in generated clients', () => {
    expect(schemas.map(([name]) => name).filter((name) => name in globalThis)).toEqual([])
  })

  it('have no property that is always null, which openapi-fetch takes away', () => {
    const always = schemas.flatMap(([name, schema]) =>
      [...fieldsOf(schema, name)].filter(([, { type }]) => type === 'null').map(([where]) => where),
    )
    expect(always).toEqual([])
  })

  it('list no types of values, of which some generators take the first alone', () => {
    const lists = schemas.flatMap(([name, schema]) =>
      [...fieldsOf(schema, name)].filter(([, { type, additionalProperties }]) =>
        [type, additionalProperties?.type].some((each) => Array.isArray(each) && each.length > 2),
      ),
    )
    expect(lists.map(([where]) => where)).toEqual([])
  })

  it('have 64 bits for each number of bytes, and no constant number', () => {
    const all = schemas.flatMap(([name, schema]) => [...fieldsOf(schema, name)])
    const numbers = all.filter(([where]) => where.endsWith('bytes'))
    expect(numbers.length).toBeGreaterThan(2)
    expect(numbers.filter(([, { format }]) => format !== 'int64').map(([where]) => where)).toEqual([])
    expect(all.filter(([, schema]) => typeof schema.const === 'number').map(([where]) => where)).toEqual([])
  })

  it.each([
    ['ErrorEnvelope.code', 'email_was_reserved'],
    ['BatchError.code', 'email_was_reserved'],
    ['WebhookDelivery.type', 'user.merged'],
    ['WebhookEndpoint.types', ['user.merged']],
  ])('leave %s open for values that are added later', (where, value) => {
    const [, schema] =
      schemas.flatMap(([name, each]) => Array.from(fieldsOf(each, name))).find(([name]) => name === where) ?? []
    expect(findErrors(schema, value)).toEqual([])
    expect(findErrors(schema, 7)).not.toEqual([])
  })

  it('include the test, the first request that an endpoint receives', () => {
    expect(webhooks.map(([type]) => type)).toContain('webhook_endpoint.test')
  })
})

describe('The responses of the document', () => {
  it.each(named)('of %s have the headers of every response and those of their status', (_, operation) => {
    for (const [status, { headers }] of Object.entries<any>(operation.responses)) {
      const expected = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']
      if (status === '401') expected.push('WWW-Authenticate')
      if (status === '429') expected.push('Retry-After', 'RateLimit-Policy')
      if (status === '503') expected.push('Retry-After')
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(expected))
    }
  })

  it.each(named)('of %s list only codes of their status', (_, operation) => {
    for (const [status, { content }] of Object.entries<any>(operation.responses)) {
      const codes = Object.keys(content?.['application/json']?.examples ?? {})
      expect(codes.length > 0).toBe(Number(status) >= 400)
      for (const code of codes) expect(Reflect.get(ERRORS, code).status).toBe(Number(status))
    }
  })

  it('list every code except method_not_allowed, which belongs to no operation', () => {
    const codes = operations.flatMap(({ operation }) =>
      Object.values<any>(operation.responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}),
      ),
    )
    expect(new Set(codes)).toEqual(new Set(Object.keys(ERRORS).filter((code) => code !== 'method_not_allowed')))
  })

  it('of a code name operations that exist', () => {
    const ids = new Set(operations.map(({ operation }) => operation.operationId))
    const namedIds = Object.values(errorKinds).flatMap(({ docs }) => docs?.returnedBy ?? [])
    expect(namedIds.filter((id) => !ids.has(id))).toEqual([])
  })

  it('of a creation have X-Existing-Id for an existing record', () => {
    const taken = named.filter(([, { responses }]) =>
      ['email_taken', 'access_exists'].some(
        (code) => code in (responses['422']?.content['application/json'].examples ?? {}),
      ),
    )
    expect(taken.length).toBeGreaterThan(4)
    for (const [, { responses }] of taken) expect(Object.keys(responses['422'].headers)).toContain('X-Existing-Id')
  })

  it('omit the code only in the 404 of the update, and log_id only on v3', () => {
    for (const [name, { responses }] of named) {
      for (const [status, { content }] of Object.entries<any>(responses).filter(([each]) => Number(each) >= 400)) {
        const { schema, examples } = content['application/json']
        const { properties, required } = schema
        const isUpdate = name === 'PUT /v1/stores/{store_id}/product_accesses/{id}' && status === '404'
        expect(required.includes('code')).toBe(!isUpdate)
        expect(Object.values<any>(examples).every(({ value }) => 'code' in value)).toBe(!isUpdate)
        // Without it, generated clients could not read the code of any error of the update.
        expect('code' in properties).toBe(true)
        expect('log_id' in properties).toBe(!name.includes(' /v3/'))
      }
    }
  })
})
