import { inspectRoutes } from 'hono/dev'
import { describe, expect, it } from 'vitest'
import { app } from '../src/app.ts'
import document from '../src/assets/openapi.json'
import { call } from './support/api.ts'

const operations = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
)

/** The schema behind a reference into the document. */
function resolve(schema: any): any {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(schema?.$ref ?? '')?.[1]
  return name === undefined ? schema : Reflect.get(document.components.schemas, name)
}

function hasExample(content: any): boolean {
  const { example, examples, schema } = content
  return (example ?? examples ?? resolve(schema)?.example ?? resolve(schema)?.examples) !== undefined
}

describe('GET /', () => {
  it('sends a browser to /docs', async () => {
    const { status, headers } = await call('GET', '/')
    expect(status).toBe(302)
    expect(headers.get('Location')).toBe('/docs')
  })
})

describe('GET /docs', () => {
  it('answers an HTML page', async () => {
    const { status, headers } = await call('GET', '/docs')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toMatch(/^text\/html/)
  })

  it('needs nothing from another origin, and what it needs is served', async () => {
    const { text, headers } = await call('GET', '/docs')
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) {
      expect(link).toMatch(/^\/docs\/[\w.-]+$/)
      expect((await call('HEAD', link)).status).toBe(200)
    }
    expect(headers.get('Content-Security-Policy')).toMatch(/default-src 'self'/)
    expect(headers.get('Content-Security-Policy')).not.toMatch(/https?:/)
  })

  it('reads the document of this service', async () => {
    const { text, headers } = await call('GET', '/docs/reference.js')
    expect(text).toContain('/openapi.json')
    expect(headers.get('Content-Type')).toMatch(/javascript/)
  })

  it.each(['/docs/nothing.js', '/docs/%00', '/docs/openapi.json'])('answers 404 for %s', async (path) => {
    const { status, json } = await call('GET', path)
    expect(status).toBe(404)
    expect(json.code).toBe('route_not_found')
  })
})

describe('GET /openapi.json', () => {
  it('answers the OpenAPI 3.1 document as JSON', async () => {
    const { status, headers, json } = await call('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(json.openapi).toMatch(/^3\.1\./)
    expect(json).toEqual(document)
  })
})

describe('the OpenAPI document', () => {
  it('has every route of the service, and no other', () => {
    const isOwnPage = (path: string) => /^\/(docs.*|openapi\.json)?$/.test(path)
    const routes = inspectRoutes(app)
      .filter(({ method, path }) => method !== 'ALL' && !isOwnPage(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(operations.map(([name]) => name).toSorted()).toEqual([...new Set(routes)].toSorted())
  })

  it.each(operations)('describes the path parameters and the token of %s', (name, operation) => {
    const inPath = operation.parameters?.filter((parameter: any) => parameter.in === 'path') ?? []
    expect(inPath.map((parameter: any) => parameter.name)).toEqual(
      [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
    )
    expect((operation.security ?? []).length).toBe(name === 'GET /health' ? 0 : 1)
  })

  it.each(operations)('has an example of each body of %s', (_, operation) => {
    const bodies = [operation.requestBody, ...Object.values(operation.responses)]
      .map((body) => body?.content?.['application/json'])
      .filter((content) => content !== undefined)
    expect(bodies.length).toBeGreaterThan(0)
    expect(bodies.filter((content) => !hasExample(content))).toEqual([])
  })

  it.each(operations)('has a body and the common headers for each error of %s', (_, operation) => {
    const errors = Object.entries<any>(operation.responses).filter(([status]) => Number(status) >= 400)
    expect(errors.length).toBeGreaterThan(0)
    for (const [status, { content, headers }] of errors) {
      expect(Object.keys(content)).toEqual(['application/json'])
      const expected = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']
      if (status === '401' || status === '403') expected.push('WWW-Authenticate')
      if (status === '429') expected.push('Retry-After', 'RateLimit-Policy')
      if (status === '503') expected.push('Retry-After')
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(expected))
    }
  })

  it('tells of the 422 of a create that X-Existing-Id names the user', () => {
    const creates = operations.filter(([name]) => name.endsWith('/users') && name.startsWith('POST'))
    expect(creates).toHaveLength(2)
    for (const [, { responses }] of creates) expect(Object.keys(responses['422'].headers)).toContain('X-Existing-Id')
  })
})
