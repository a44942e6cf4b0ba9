import { describe, expect, it } from 'vitest'
import document from '../../src/assets/openapi.json'
import { call } from '../support/api.ts'

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

  it('leaves no token behind in the browser', async () => {
    const { text } = await call('GET', '/docs/reference.js')
    expect(text).toContain('persistAuthorization: false')
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
