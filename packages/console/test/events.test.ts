import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readXlsx } from 'hucre/xlsx'
import type { Page } from 'playwright-core'
import { assertPageIsAccessible, call, createFixture, openConsole, type Fixture } from './service.ts'

const lines = (page: Page) => page.getByRole('list', { name: 'Events, newest first' }).locator('> li')

const oldest = (page: Page) => page.getByRole('list', { name: 'Events, oldest first' }).locator('> li')

async function createUsers({ api }: Fixture, count: number, name = 'ana'): Promise<void> {
  const items = Array.from({ length: count }, (_, i) => ({
    name: 'Ana',
    last_name: `Person ${i}`,
    email: `${name}${i}@example.com`,
  }))
  for (let i = 0; i < items.length; i += 100) await api('POST', '/users/batch', { items: items.slice(i, i + 100) })
}

describe('the events of a store', () => {
  it('shows a new event at the top while the screen is open', async () => {
    const fixture = await createFixture()
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/events`)
    await lines(page).getByText('The store was created.').waitFor()
    await createUsers(fixture, 1)
    await lines(page).first().getByText('The user was created.').waitFor()
    assert.equal(await lines(page).count(), 2)
    await done()
  })

  it('sends no requests while the events are paused, and catches up after that', async () => {
    const fixture = await createFixture()
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/events`)
    await page.clock.install()
    await page.reload()
    await lines(page).getByText('The store was created.').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/events') && asked.push(request.url()))
    await createUsers(fixture, 2)
    await page.clock.runFor(10_000)
    assert.deepEqual(asked, [])
    assert.equal(await lines(page).count(), 1)
    await page.getByRole('button', { name: 'Resume' }).click()
    await lines(page).getByText('The user was created.').first().waitFor()
    assert.equal(await lines(page).count(), 3)
    await done()
  })

  it('shows the newest events first, and goes back page by page without skipping an event', async () => {
    const fixture = await createFixture()
    await createUsers(fixture, 129)
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/events`)
    const shown: number[] = []
    const ids = async () =>
      (
        await lines(page)
          .getByText(/^Event \d+$/)
          .allTextContents()
      ).map((text) => Number(text.slice(6)))
    await lines(page).getByText('Event 130', { exact: true }).waitFor()
    shown.push(...(await ids()))
    await page.getByRole('button', { name: 'Next page' }).click()
    await lines(page).getByText('Event 80', { exact: true }).waitFor()
    await page.reload()
    await lines(page).getByText('Event 80', { exact: true }).waitFor()
    shown.push(...(await ids()))
    await page.getByRole('button', { name: 'Next page' }).click()
    await lines(page).getByText('Event 1', { exact: true }).waitFor()
    shown.push(...(await ids()))
    assert.deepEqual(
      shown,
      Array.from({ length: 130 }, (_, i) => 130 - i),
    )
    assert.equal(await page.getByRole('button', { name: 'Next page' }).count(), 0, 'nothing follows')
    await page.goBack()
    await lines(page).getByText('Event 80', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Newest events' }).click()
    await lines(page).getByText('Event 130', { exact: true }).waitFor()
    await page.getByText('Oldest first').click()
    await oldest(page).first().getByText('Event 1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await oldest(page).first().getByText('Event 51', { exact: true }).waitFor()
    await page.reload()
    await oldest(page).first().getByText('Event 51', { exact: true }).waitFor()
    await done()
  })

  it('offers the first users who are found while it searches on, and goes on from there for a longer text', async () => {
    const fixture = await createFixture()
    await createUsers(fixture, 1)
    const [ana] = (await fixture.api('GET', '/users')).data
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/events`)
    await page.clock.setFixedTime(Date.now())
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const asked: (string | null)[] = []
    await page.route(/\/users\?.*q=/, async (route) => {
      const { searchParams } = new URL(route.request().url())
      asked.push(searchParams.get('q'))
      if (!searchParams.has('after')) return route.fulfill({ json: { data: [ana], next: 'x' } })
      await isReleased
      return route.fulfill({ json: { data: [{ ...ana, id: '900', last_name: 'Person 2' }], next: null } })
    })
    const box = page.getByRole('combobox', { name: 'User' })
    await box.fill('person')
    await page.getByRole('option', { name: 'Ana Person 0' }).waitFor()
    release()
    await page.getByRole('option', { name: 'Ana Person 2' }).waitFor()
    await box.fill('person 2')
    await page.getByRole('option', { name: 'Ana Person 0' }).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: 'Ana Person 2' }).waitFor()
    await done()
    assert.deepEqual(asked, ['person', 'person'])
  })

  it('filters events by type, user and access', async () => {
    const fixture = await createFixture()
    await createUsers(fixture, 3)
    const { data } = await fixture.api('GET', '/users?email=ana1@example.com')
    const [{ id }] = data
    const product = await fixture.api('POST', '/products', { name: 'Engines', slug: 'engines', type: 'course' })
    const access = await fixture.api('POST', '/product_accesses', { user_id: id, product_id: product.id })
    // There are so many other events that the search takes several requests.
    await createUsers(fixture, 300, 'bea')
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/events`)
    await page.getByLabel('Type').selectOption('Product created')
    await lines(page).getByText('Engines').waitFor()
    assert.equal(await lines(page).count(), 1)

    await page.getByLabel('Type').selectOption('Any type')
    await page.getByRole('combobox', { name: 'User' }).fill('ana1@exam')
    await page.getByRole('option', { name: 'Ana Person 1 · ana1@example.com' }).click()
    await lines(page).getByText('An access was granted.').waitFor()
    await lines(page).getByText('The user was created.').waitFor()
    assert.equal(await lines(page).count(), 2)
    assert.match(page.url(), new RegExp(`[?]user=${id}$`))
    await page.reload()
    await page.getByRole('combobox', { name: 'User' }).and(page.locator('[value="Ana Person 1"]')).waitFor()
    await lines(page).getByText('The user was created.').waitFor()
    assert.equal(await lines(page).count(), 2)

    await page.getByRole('link', { name: 'Engines' }).click()
    await page.waitForURL(/access=/)
    await page.getByText('Only the events of one access: Ana Person 1 · Engines').waitFor()
    await lines(page).getByText('An access was granted.').waitFor()
    assert.equal(await lines(page).count(), 1)
    await assertPageIsAccessible(page)
    await fixture.api('PATCH', `/product_accesses/${access.id}`, { progress: 40 })
    await lines(page).first().getByText('Progress was recorded.').waitFor()

    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Type').selectOption('Product created')
    await lines(page).getByText('Engines').waitFor()
    await page.goBack()
    await page.goBack()
    await page.getByText('Only the events of one access').waitFor()
    await page.goBack()
    await page.waitForURL(new RegExp(`[?]user=${id}$`))
    await lines(page).getByText('The user was created.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL(/events$/)
    await done()
  })

  it('shows names instead of numbers, and looks up many users with one request', async () => {
    const fixture = await createFixture()
    await createUsers(fixture, 30)
    const { data } = await fixture.api('GET', '/users?order=desc&limit=1')
    const [{ id, name, last_name }] = data
    await fixture.api('PUT', '/custom_fields/field1', { label: 'Department' })
    await fixture.api('PUT', '/custom_fields/plain', {})
    const url = 'https://shop.example.com/registrar'
    await fixture.api('POST', '/webhook_endpoints', { url, types: ['product.created'] })
    const { token: _, ...token } = await fixture.api('POST', '/tokens', { name: 'Shop sync' })
    const { page, done } = await openConsole(fixture.token, '/stores')
    let lookups = 0
    page.on('request', (request) => (lookups += request.url().includes('ids=') ? 1 : 0))
    await page.goto(page.url().replace(/#.*/, `#/s/${fixture.store}/events`))
    await lines(page).first().getByText(token.name).waitFor()
    await lines(page).getByRole('link', { name: url }).waitFor()
    await lines(page).getByText('Department').waitFor()
    await lines(page).getByText('plain').waitFor()
    await page
      .getByRole('link', { name: `${name} ${last_name}`, exact: true })
      .first()
      .click()
    await page.waitForURL(new RegExp(`/users/${id}$`))
    assert.equal(lookups, 1)
    await done()
  })

  it('are found by the day of the store and by who caused them, and are downloaded with names', async () => {
    const { token, store, api } = await createFixture('admin', { time_zone: 'Asia/Tokyo' })
    const shop = await api('POST', '/tokens', { name: 'Shop sync', scopes: ['users:write', 'webhooks:write'] })
    const path = `/v1/stores/${store}`
    await call('POST', `${path}/users`, { name: 'Ada', last_name: 'Gil', email: 'ada@example.com' }, shop.token)
    await call('POST', `${path}/webhook_endpoints`, { url: 'https://shop.example.com/hook' }, shop.token)
    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    const { page, done } = await openConsole(token, `/s/${store}/events`)
    const shown = page.getByRole('listitem')
    await shown.getByText('A product was created.').waitFor()
    await page.getByRole('combobox', { name: 'Who' }).fill('shop')
    await page.getByRole('option', { name: 'token Shop sync' }).click()
    await shown.getByText('A product was created.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Today' }).click()
    await shown.getByText('The user was created.').waitFor()
    assert.match(page.url(), /actor=access_token%3A\d+&from=\d{4}-\d\d-\d\d&to=/)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    const [sheet] = (await readXlsx(readFileSync(await file.path()))).sheets
    assert.deepEqual(sheet?.rows.at(-1)?.slice(1, 4), ['token Shop sync', 'User created', 'Ada Gil'])
    await assertPageIsAccessible(page)
    await page.getByRole('button', { name: 'Yesterday' }).click()
    await page.getByText('No matching events found.').waitFor()

    await page.getByRole('link', { name: 'Access tokens' }).click()
    await page.getByRole('button', { name: 'Revoke Shop sync' }).click()
    const traces = page.getByRole('dialog').getByRole('list', { name: /If the token may have leaked/ })
    await traces.getByRole('link', { name: 'https://shop.example.com/hook' }).waitFor()
    await done()
  })

  it('names the scopes of a token and the events of an endpoint in Spanish', async () => {
    const { token, store, api } = await createFixture()
    const created = await api('POST', '/tokens', { name: 'Shop sync', scopes: ['users:write'] })
    await api('PATCH', `/tokens/${created.id}`, { scopes: ['users:read', 'events:read'] })
    const endpoint = await api('POST', '/webhook_endpoints', { url: 'https://shop.example.com/registrar' })
    await api('PATCH', `/webhook_endpoints/${endpoint.id}`, { types: ['product.created', 'user.erased'] })
    const { page, done } = await openConsole(token, `/s/${store}/events`, { language: 'es-ES' })
    const shown = page.getByRole('listitem')
    await shown.getByText('Permisos: Crear y cambiar usuarios Leer usuarios, Leer eventos').first().waitFor()
    await shown.getByText('Eventos: Todos los eventos Producto creado, Usuario eliminado').first().waitFor()
    await done()
  })
})
