import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { inspectScreen, newPlace, openConsole, type Place } from './service.ts'

const lines = (page: Page) => page.getByRole('list', { name: 'Events, the newest first' }).locator('> li')

async function createUsers({ api }: Place, count: number, name = 'ana'): Promise<void> {
  const items = Array.from({ length: count }, (_, i) => ({
    name: 'Ana',
    last_name: `Person ${i}`,
    email: `${name}${i}@example.com`,
  }))
  for (let i = 0; i < items.length; i += 100) await api('POST', '/users/batch', { items: items.slice(i, i + 100) })
}

describe('the events', () => {
  it('show what happens while one looks, the newest on top', async () => {
    const place = await newPlace()
    const { page, done } = await openConsole(place.token, `/s/${place.store}/events`)
    await lines(page).getByText('Store created').waitFor()
    await createUsers(place, 1)
    await lines(page).first().getByText('User created').waitFor()
    assert.equal(await lines(page).count(), 2)
    await done()
  })

  it('stay as they are while paused, and go on where they were', async () => {
    const place = await newPlace()
    const { page, done } = await openConsole(place.token, `/s/${place.store}/events`)
    await lines(page).getByText('Store created').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await createUsers(place, 2)
    await page.waitForTimeout(4000)
    assert.deepEqual(asked, [])
    assert.equal(await lines(page).count(), 1)
    await page.getByRole('button', { name: 'Go on' }).click()
    await lines(page).getByText('User created').first().waitFor()
    assert.equal(await lines(page).count(), 3)
    await done()
  })

  it('begin at the end, and go back page by page without leaving any out', async () => {
    const place = await newPlace()
    await createUsers(place, 129)
    const { page, done } = await openConsole(place.token, `/s/${place.store}/events`)
    const shown: number[] = []
    const ids = async () =>
      (
        await lines(page)
          .getByText(/^Event \d+$/)
          .allTextContents()
      ).map((text) => Number(text.slice(6)))
    await lines(page).getByText('Event 130', { exact: true }).waitFor()
    shown.push(...(await ids()))
    await page.getByRole('button', { name: 'Older' }).click()
    await lines(page).getByText('Event 80', { exact: true }).waitFor()
    shown.push(...(await ids()))
    await page.getByRole('button', { name: 'Older' }).click()
    await lines(page).getByText('Event 1', { exact: true }).waitFor()
    shown.push(...(await ids()))
    assert.deepEqual(
      shown,
      Array.from({ length: 130 }, (_, i) => 130 - i),
    )
    assert.equal(await page.getByRole('button', { name: 'Older' }).isDisabled(), true)
    await page.getByRole('button', { name: 'Newest' }).click()
    await lines(page).getByText('Event 130', { exact: true }).waitFor()
    await done()
  })

  it('can be of one type, of one user or of one access', async () => {
    const place = await newPlace()
    await createUsers(place, 3)
    const { data } = await place.api('GET', '/users')
    const [{ id }] = data
    const product = await place.api('POST', '/products', { name: 'Engines', slug: 'engines', type: 'course' })
    const access = await place.api('POST', '/product_accesses', { user_id: id, product_id: product.id })
    // Among many others: looking back takes several requests.
    await createUsers(place, 300, 'bea')
    const { page, done } = await openConsole(place.token, `/s/${place.store}/events`)
    await page.getByLabel('Type').selectOption('Product created')
    await lines(page).getByText(`product ${product.id}`).waitFor()
    assert.equal(await lines(page).count(), 1)

    await page.getByLabel('Type').selectOption('Any type')
    await page.getByLabel('User id').fill(id)
    await lines(page).getByText('Access granted').waitFor()
    await lines(page).getByText('User created').waitFor()
    assert.equal(await lines(page).count(), 2)

    await page.getByRole('link', { name: `access ${access.id}` }).click()
    await page.waitForURL(/access=/)
    await lines(page).getByText('Access granted').waitFor()
    assert.equal(await page.getByLabel('Access id').inputValue(), access.id)
    assert.equal(await lines(page).count(), 1)
    await place.api('PATCH', `/product_accesses/${access.id}`, { progress: 40 })
    await lines(page).first().getByText('Progress recorded').waitFor()

    await page.getByLabel('Access id').fill('7x')
    await page.getByText('An id is a number.').waitFor()
    await done()
  })

  it('lead to the user whom they are about', async () => {
    const place = await newPlace()
    await createUsers(place, 1)
    const { page, done } = await openConsole(place.token, `/s/${place.store}/events`)
    await page.getByRole('link', { name: /^user \d+$/ }).click()
    await page.waitForURL(/\/users\/\d+$/)
    await done()
  })

  it('can be read by everybody, in both appearances and widths', async () => {
    const { token, store, api } = await newPlace('viewer')
    await api('PUT', '/custom_fields/a_rather_long_key_of_a_custom_field_that_somebody_has_chosen', { label: 'A' })
    await api('PATCH', '', { name: 'Another name', expiry_notice_days: 3 })
    await inspectScreen(token, `/s/${store}/events`, (page) => lines(page).getByText('Store created').waitFor())
  })
})
