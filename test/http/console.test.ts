import { describe, expect, it } from 'vitest'
import { call } from '../support/api.ts'

describe('GET /console', () => {
  it('returns a page that can only load files from its own origin', async () => {
    const { status, headers, text } = await call('GET', '/console')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(headers.get('Cache-Control')).toBe('no-cache, no-transform')
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/)
    expect(text).not.toMatch(/<script(?![^>]* src="\/console\/)|\son\w+=/)
  })

  it('returns each file of the page with headers that let a browser cache it for a year', async () => {
    const { text } = await call('GET', '/console')
    const files = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const file of files) {
      const { status, headers } = await call('GET', file)
      expect(status).toBe(200)
      expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    }
  })

  it('redirects to /console from /console/', async () => {
    const { status, headers } = await call('GET', '/console/')
    expect(status).toBe(302)
    expect(headers.get('Location')).toBe('/console')
  })

  it.each(['/console/nothing', '/console/assets/nothing.js', '/console/assets/..%2f..%2fopenapi.json'])(
    'returns 404 for %s',
    async (path) => {
      const { status, json } = await call('GET', path)
      expect(status).toBe(404)
      expect(json.code).toBe('route_not_found')
    },
  )

  it('returns 405 for another method', async () => {
    const { status, headers } = await call('POST', '/console')
    expect(status).toBe(405)
    expect(headers.get('Allow')).toContain('GET')
  })
})
