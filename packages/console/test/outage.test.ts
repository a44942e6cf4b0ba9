import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { startReceiver } from './receiver.ts'
import { createFixture, type Fixture, openConsole } from './service.ts'

const OUTAGE = 'The service does not respond at the moment'
const ENDED = 'Your sign-in has ended'

/** With this header the console shows a failure at once. Without it, the console first tries again for seven seconds. */
const headers = { 'Retry-After': '60' }

/** Cloudflare's edge sends such a page if it does not reach the Worker, or if the Worker has crashed. */
const edgePage = (status: number) => (route: Route) =>
  route.fulfill({ status, headers, contentType: 'text/html; charset=UTF-8', body: '<h1>Error</h1>' })

const unavailable = (route: Route) => route.fulfill({ status: 503, headers, body: 'upstream connect error' })

/** Waits until one message says that the service does not respond, and throws if the screen repeats it. */
async function assertReportedOnce(page: Page): Promise<void> {
  await page.getByText(OUTAGE).waitFor()
  // A modal dialog hides the roles of the page behind it.
  assert.equal(await page.locator('[role=alert]').count(), 1)
}

/** Creates an endpoint and a product, whose event was delivered to the endpoint. */
async function createEndpoint({ api, store }: Fixture): Promise<string> {
  const receiver = await startReceiver()
  after(receiver.close)
  const { id } = await api('POST', '/webhook_endpoints', { url: receiver.url })
  await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  return `/s/${store}/webhooks/${id}`
}

describe('the message about an outage', () => {
  it('appears for every error page of Cloudflare from status 500 on', async () => {
    const { token, store } = await createFixture()
    const statuses = [500, 530]
    const { page, done } = await openConsole(token, `/s/${store}`, { expected: statuses.map(String) })
    for (const status of statuses) {
      await page.unrouteAll()
      await page.route('**/admin/**', edgePage(status))
      await page.reload()
      await page.getByText(OUTAGE, { exact: true }).waitFor()
      assert.equal(await page.getByText(ENDED).count(), 0, `status ${status}`)
      assert.equal(await page.getByRole('alert').count(), 1, `status ${status}`)
    }
    await done()
  })

  it('names a challenge, a block and a limit of Cloudflare with its CF-Ray, and ends no sign-in', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/tokens`, { expected: ['403', '429'] })
    await page.getByText('There are no access tokens yet.').waitFor()
    const pages = [
      [403, 'check that a person sends this', '<h1>Just a moment</h1>', { 'cf-mitigated': 'challenge' }],
      [403, 'a rule of the firewall blocks it', 'error code: 1010', {}],
      [429, 'there are too many at the moment', '<h1>error 1015</h1>', {}],
      [429, 'used up for today', '<h1>error 1027</h1>', {}],
    ] as const
    for (const [i, [status, text, body, more]] of pages.entries()) {
      await page.unrouteAll()
      await page.route(i % 2 === 0 ? '**/products?*' : '**/custom_fields?*', (route) =>
        route.fulfill({
          status,
          contentType: body.startsWith('<') ? 'text/html; charset=UTF-8' : 'text/plain',
          headers: { ...headers, 'CF-Ray': `8f${i}-LIS`, ...more },
          body,
        }),
      )
      await page.getByRole('link', { name: i % 2 === 0 ? 'Products' : 'Custom fields', exact: true }).click()
      await page.getByText(text).waitFor()
      await page.getByText(`8f${i}-LIS`).waitFor()
      assert.equal(await page.getByText('Try again in 60 seconds.').count(), 1)
      assert.equal(await page.getByText(ENDED).count(), 0)
    }
    await done()
  })

  it('is not shown for a page of Cloudflare Access, which ends the sign-in of an operator without a token', async () => {
    const { store } = await createFixture()
    const { page, done } = await openConsole(undefined, `/s/${store}`, { expected: ['403'] })
    await page.route('**/admin/**', edgePage(403))
    await page.reload()
    await page.getByText(ENDED, { exact: true }).waitFor()
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

  it('stays while one part of the service fails and others work, until this part works again', async () => {
    const { token, store, api } = await createFixture()
    const user = await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
    const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    await api('POST', '/product_accesses', { user_id: user.id, product_id: product.id })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`, { expected: ['503'] })
    await page.getByText('There are no access tokens yet.').waitFor()
    await page.clock.install()
    await page.route('**/product_accesses?*', unavailable)
    // The products are read after the message has appeared.
    const { promise: isShown, resolve: show } = Promise.withResolvers<void>()
    await page.route('**/products?*', (route) => isShown.then(() => route.continue()))
    const works = page.waitForResponse(/\/products\?/)
    await page.getByRole('link', { name: 'Product accesses', exact: true }).click()
    await page.getByText(OUTAGE).waitFor()
    show()
    await (await works).finished()
    await page.getByRole('combobox', { name: 'Product', exact: true }).click()
    await page.getByRole('option', { name: 'Algebra' }).waitFor()
    await page.keyboard.press('Escape')
    await assertReportedOnce(page)
    await page.unrouteAll()
    await page.clock.runFor(5_000)
    await page.getByRole('cell', { name: 'Algebra', exact: true }).waitFor()
    await page.getByText(OUTAGE).waitFor({ state: 'hidden' })
    await done()
  })

  it('disappears on another screen than the one that failed as soon as the service works', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/tokens`, { expected: ['503'] })
    await page.getByText('There are no access tokens yet.').waitFor()
    await page.clock.install()
    await page.route('**/products?*', unavailable)
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page.getByText(OUTAGE).waitFor()
    await page.goto(page.url().replace('products', 'nowhere'))
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.clock.runFor(5_000)
    await page.getByText(OUTAGE).waitFor({ state: 'hidden' })
    await done()
  })

  it('appears once on the screen of an endpoint that was read before, and in the dialog of an event', async () => {
    const fixture = await createFixture()
    const path = await createEndpoint(fixture)
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/webhooks`, { expected: ['503'] })
    await page.clock.install()
    await page.locator(`a[href$="${path}"]`).click()
    await page
      .getByRole('button', { name: /^Show event/ })
      .first()
      .waitFor()
    await page.route('**/admin/**', unavailable)
    await page.clock.runFor(5_000)
    await page.getByText(OUTAGE).waitFor()
    const read = page.waitForResponse(/\/events\?/)
    await page
      .getByRole('button', { name: /^Show event/ })
      .first()
      .click()
    await read
    await page.clock.runFor(100)
    await assertReportedOnce(page)
    await page.unrouteAll()
    await page.clock.runFor(5_000)
    await page.getByRole('dialog').getByText('"product.created"').waitFor()
    await done()
  })

  it('appears once if a dialog that grants access cannot read the products', async () => {
    const { token, store, api } = await createFixture()
    const { id } = await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    const { page, done } = await openConsole(token, `/s/${store}/users/${id}`, { expected: ['503'] })
    await page.getByRole('button', { name: 'Grant access' }).waitFor()
    await page.clock.install()
    await page.route('**/products?*', unavailable)
    await page.getByRole('button', { name: 'Grant access' }).click()
    await assertReportedOnce(page)
    await page.unrouteAll()
    await page.clock.runFor(5_000)
    await page.getByRole('dialog').getByRole('combobox', { name: 'Products' }).waitFor()
    await page.getByText(OUTAGE).waitFor({ state: 'hidden' })
    await done()
  })
})
