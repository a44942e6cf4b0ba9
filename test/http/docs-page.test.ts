import { describe, expect, it } from 'vitest'
import { version } from '../../package.json'
import document from '../../src/assets/openapi.json'
import { BASE, call, UUID } from '../support/api.ts'

describe('GET /', () => {
  it('redirects to /docs', async () => {
    const { status, headers } = await call('GET', '/')
    expect(status).toBe(302)
    expect(headers.get('Location')).toBe('/docs')
  })
})

describe('GET /docs', () => {
  it('returns an HTML page', async () => {
    const { status, headers } = await call('GET', '/docs')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toMatch(/^text\/html/)
  })

  it('allows no proxy to change a page, or Cloudflare would hide the email addresses in it', async () => {
    for (const path of ['/docs', '/docs/guide', '/console']) {
      const first = await call('GET', path)
      expect(first.headers.get('Cache-Control')).toMatch(
        /^(?:no-cache|public, max-age=0, must-revalidate), no-transform$/,
      )
      const known = { 'If-None-Match': first.headers.get('ETag') ?? '' }
      const second = await call('GET', path, { headers: known })
      expect(second.status).toBe(304)
      expect(second.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'))
    }
  })

  it('links only to files of its own origin, and all of them are served', async () => {
    const { text, headers } = await call('GET', '/docs')
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) {
      expect(link).toMatch(/^\/(?:docs\/[\w.-]+|openapi\.json)$/)
      expect((await call('HEAD', link)).status).toBe(200)
    }
    expect(headers.get('Content-Security-Policy')).toMatch(/default-src 'self'/)
    expect(headers.get('Content-Security-Policy')).not.toMatch(/https?:/)
  })

  it('allows scripts of its own origin only', async () => {
    const { text, headers } = await call('GET', '/docs')
    expect(headers.get('Content-Security-Policy')).not.toMatch(/script-src|unsafe-eval|default-src[^;]*unsafe/)
    expect(text).not.toMatch(/<script(?![^>]* src=)/)
  })

  it('serves every module that its script loads, and lets a browser cache modules whose names contain a hash', async () => {
    const { text } = await call('GET', '/docs/standalone.esm.js')
    const chunks = new Set([...text.matchAll(/["'`]\.\/(chunks\/[\w.-]+\.js)["'`]/g)].map(([, name = '']) => name))
    expect(chunks.size).toBeGreaterThan(5)
    for (const chunk of chunks) {
      const { status, headers } = await call('HEAD', `/docs/${chunk}`)
      expect(status).toBe(200)
      expect(headers.get('Content-Type')).toMatch(/javascript/)
      expect(headers.get('Cache-Control')).toContain('immutable')
    }
  })

  it('returns 304 when the browser already has the script', async () => {
    const first = await call('GET', '/docs/reference.js')
    const etag = first.headers.get('ETag') ?? ''
    const { status, text, headers } = await call('GET', '/docs/reference.js', { headers: { 'If-None-Match': etag } })
    expect(status).toBe(304)
    expect(text).toBe('')
    expect(headers.get('Content-Security-Policy')).toMatch(/default-src 'self'/)
    expect(headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'))
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  })

  it('loads the OpenAPI document of this service', async () => {
    const { text, headers } = await call('GET', '/docs/reference.js')
    expect(text).toContain("'/openapi.json'")
    expect(headers.get('Content-Type')).toMatch(/javascript/)
  })

  it('stores no token in the browser and calls no other host', async () => {
    const { text } = await call('GET', '/docs/reference.js')
    for (const setting of ['persistAuth: false', "proxyUrl: ''", 'withDefaultFonts: false', 'telemetry: false']) {
      expect(text).toContain(setting)
    }
  })

  it('redirects /docs/', async () => {
    const { status, headers } = await call('GET', '/docs/')
    expect(status).toBe(302)
    expect(headers.get('Location')).toBe('/docs')
  })

  it.each(['/docs/nothing.js', '/docs/nothing', '/docs/chunks/nothing.js', '/docs/%00', '/docs/openapi.json'])(
    'returns 404 for %s',
    async (path) => {
      const { status, json } = await call('GET', path)
      expect(status).toBe(404)
      expect(json.code).toBe('route_not_found')
    },
  )
})

describe('GET /docs/{page}', () => {
  it.each(['guide', 'integrators', 'events', 'errors', 'changes'])(
    'returns the page %s as HTML and as Markdown, with the address of this service',
    async (name) => {
      const html = await call('GET', `/docs/${name}`)
      expect(html.status).toBe(200)
      expect(html.headers.get('Content-Type')).toMatch(/^text\/html/)
      expect(html.text).toMatch(/<h1 id="[\w-]+">/)
      const markdown = await call('GET', `/docs/${name}.md`)
      expect(markdown.status).toBe(200)
      expect(markdown.headers.get('Content-Type')).toMatch(/^text\/markdown/)
      expect(markdown.text).toMatch(/^# /)
      for (const { text } of [html, markdown]) expect(text).not.toContain('http://localhost:8787')
    },
  )

  it('returns samples for the address at which it was requested', async () => {
    for (const path of ['/docs/guide', '/docs/guide.md', '/openapi.json']) {
      expect((await call('GET', path)).text).toContain(`API=${BASE} `)
    }
  })
})

describe('GET /docs/registrar-client-{version}.tgz', () => {
  it('returns the client that the guide installs, which npm may keep for good', async () => {
    const path = `/docs/registrar-client-${version}.tgz`
    const { status, text, headers } = await call('GET', path)
    expect(status).toBe(200)
    // The first byte of a gzip file; the second one is no UTF-8.
    expect(text.charCodeAt(0)).toBe(0x1f)
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect((await call('GET', '/docs/guide.md')).text).toContain(`npm install ${BASE}${path}`)
  })

  it('returns 404 without a version, and for a version that was never released', async () => {
    expect((await call('GET', '/docs/registrar-client.tgz')).status).toBe(404)
    expect((await call('GET', '/docs/registrar-client-0.0.1.tgz')).status).toBe(404)
  })
})

describe('GET /openapi.json?for=integrators', () => {
  it('returns the document without /admin, and without the components that only /admin uses', async () => {
    const { status, text } = await call('GET', '/openapi.json?for=integrators')
    expect(status).toBe(200)
    const served: typeof document = JSON.parse(text)
    expect(Object.keys(served.paths)).toEqual(Object.keys(document.paths).filter((path) => !path.startsWith('/admin')))
    expect(served.webhooks).toEqual(document.webhooks)
    // The guide, which is the description of the document, begins with the token that an operator creates.
    expect(JSON.stringify({ ...served, info: {} })).not.toMatch(/\/admin\/|Also for operators/)
    expect(served.paths['/v1/token'].get.description).toBe(document.paths['/v1/token'].get.description)
    expect(Object.keys(served.components.schemas)).not.toContain('Operator')
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
      expect(Object.entries(served.components).find(([key]) => key === kind)?.[1]).toHaveProperty([name])
    expect(text.length).toBeLessThan(0.75 * (await call('GET', '/openapi.json')).text.length)
  })

  it('returns 422 for any other reader', async () => {
    const { status, json } = await call('GET', '/openapi.json?for=integrator')
    expect(status).toBe(422)
    expect(json).toMatchObject({ code: 'invalid_parameter', details: [{ field: 'for', value: 'integrator' }] })
    const { json: long } = await call('GET', `/openapi.json?for=${encodeURIComponent('😀'.repeat(300))}`)
    expect(long.details[0].value).toBe('😀'.repeat(256))
  })
})

describe('GET /llms.txt', () => {
  it('lists the pages of /docs as Markdown, and each is served', async () => {
    const { status, headers, text } = await call('GET', '/llms.txt')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toMatch(/^text\/plain/)
    expect(text).toMatch(/^# Registrar\n\n> /)
    const links = [...text.matchAll(/\]\((.+?)\)/g)].map(([, link = '']) => link)
    expect(links).toContain(`${BASE}/docs/guide.md`)
    expect(links).toContain(`${BASE}/docs/changelog.md`)
    for (const link of links) expect((await call('GET', link.slice(BASE.length))).status).toBe(200)
  })
})

describe('GET /.well-known/security.txt', () => {
  it('names the contact that the operator of the service has set', async () => {
    const { status, text } = await call('GET', '/.well-known/security.txt', {
      bindings: { SECURITY_CONTACT: 'mailto:security@example.com' },
    })
    expect(status).toBe(200)
    const [contact, expires = '', canonical] = text.split('\n')
    expect(contact).toBe('Contact: mailto:security@example.com')
    expect(Date.parse(expires.replace('Expires: ', ''))).toBeGreaterThan(Date.now())
    expect(canonical).toBe(`Canonical: ${BASE}/.well-known/security.txt`)
  })

  it('returns 404 without a contact', async () => {
    expect((await call('GET', '/.well-known/security.txt')).status).toBe(404)
  })
})

describe('GET of a static file', () => {
  it.each(['/docs', '/docs/reference.js', '/docs/guide', '/docs/guide.md', '/openapi.json', '/console'])(
    'returns the headers of every response and its own Cache-Control at %s',
    async (path) => {
      const { status, headers } = await call('GET', path)
      expect(status).toBe(200)
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('X-Request-Id')).toMatch(UUID)
      expect(headers.get('Cache-Control')).toMatch(/no-cache|max-age/)
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    },
  )
})

describe('GET /openapi.json', () => {
  it('returns the OpenAPI 3.1 document as JSON', async () => {
    const { status, headers, json } = await call('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(json.openapi).toMatch(/^3\.1\./)
    const { info, ...rest } = document
    expect(json).toEqual({ info: { ...info, description: json.info.description }, ...rest })
  })
})
