import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { createFixture, openConsole } from './service.ts'

const OUTAGE = 'The service does not respond at the moment'
const ENDED = 'Your sign-in has ended'

/** With this header the console shows a failure at once. Without it, the console first tries again for seven seconds. */
const headers = { 'Retry-After': '60' }

/** Cloudflare's edge sends such a page if it does not reach the Worker, or if the Worker has crashed. */
const edgePage = (status: number) => (route: Route) =>
  route.fulfill({ status, headers, contentType: 'text/html; charset=UTF-8', body: '<h1>Error</h1>' })

describe('the message about an outage', () => {
  it('appears for every error page of Cloudflare from status 500 on, and a page below is a sign-in', async () => {
    const { token, store } = await createFixture()
    const statuses = [500, 502, 520, 530]
    const { page, done } = await openConsole(token, `/s/${store}`, { expected: [...statuses.map(String), '403'] })
    for (const [status, text, other] of [
      ...statuses.map((status) => [status, OUTAGE, ENDED] as const),
      [403, ENDED, OUTAGE] as const,
    ]) {
      await page.unrouteAll()
      await page.route('**/admin/**', edgePage(status))
      await page.reload()
      await page.getByText(text, { exact: true }).waitFor()
      assert.equal(await page.getByText(other).count(), 0, `status ${status}`)
      assert.equal(await page.getByRole('alert').count(), 1, `status ${status}`)
    }
    await done()
  })

  it('does not appear for an error 500 of the API, which the screen shows with its request id', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/tokens`, { expected: ['500'] })
    await page.getByText('There are no access tokens yet.').waitFor()
    await page.route('**/products?*', (route) =>
      route.fulfill({
        status: 500,
        headers: { ...headers, 'X-Request-Id': 'request-1' },
        json: { type: 'internal_error', code: 'internal_error', message: 'The service failed.' },
      }),
    )
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page.getByRole('alert').getByText('request-1').waitFor()
    assert.equal(await page.getByText(OUTAGE).count(), 0)
    await done()
  })
})
