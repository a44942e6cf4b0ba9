import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertPageIsAccessible, call, createFixture, type Fixture, openConsole } from './service.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** Creates a product, and a user with an access to it for each name. */
async function seed({ api }: Fixture, due: Record<string, number | null>, name = 'Algebra') {
  const slug = name.toLowerCase()
  const product = await api('POST', '/products', { name, slug, type: 'course' })
  const items = Object.entries(due).map(([person, days]) => ({
    name: person,
    last_name: 'Smith',
    email: `${person}@example.com`,
    product_accesses: [{ slug, access_due_date: days === null ? null : inDays(days) }],
  }))
  await api('POST', '/users/batch', { items, on_existing: 'update' })
  return product
}

const MANY = 4000
const BULK_CHANGES = 8

/** Creates so many accesses that a bulk change takes seconds. */
async function seedMany({ api }: Fixture): Promise<void> {
  const slugs = Array.from({ length: 10 }, (_, n) => `course-${n}`)
  for (const slug of slugs) await api('POST', '/products', { name: slug, slug, type: 'course' })
  const product_accesses = slugs.map((slug) => ({ slug, access_due_date: inDays(30) }))
  for (let from = 0; from < MANY / slugs.length; from += 100) {
    const items = Array.from({ length: 100 }, (_, n) => ({
      name: 'Ada',
      last_name: `Number ${from + n}`,
      email: `ada${from + n}@example.com`,
      product_accesses,
    }))
    await api('POST', '/users/batch', { items })
  }
}

/** The due date and the status of each person's access to the product. */
async function accessesOf({ api }: Fixture, product: { id: string }): Promise<Record<string, any>> {
  const { data } = await api('GET', `/product_accesses?product_id=${product.id}`)
  return Object.fromEntries(data.map((access: any) => [access.user.name, access]))
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Change many accesses' })

/** Waits until the service has ended all bulk changes of the store. */
async function ended({ api }: Fixture): Promise<any[]> {
  for (;;) {
    const { data } = await api('GET', '/bulk_changes')
    if (data.every(({ state }: any) => state !== 'queued' && state !== 'running')) return data
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
  }
}

describe('a bulk change', () => {
  it('extends ended accesses until the end of a day after a dry run, and is reverted once', async () => {
    const fixture = await createFixture()
    const { token, store } = fixture
    const product = await seed(fixture, { Ada: -2, Ben: -40, Cleo: 5 })
    await seed(fixture, { Dora: -3 }, 'Botany')
    const before = await accessesOf(fixture, product)
    const { page, done } = await openConsole(token, `/s/${store}/accesses?product=${product.id}&state=ended`)
    await page.getByRole('button', { name: 'Change all matches…' }).click()
    const dialog = dialogOf(page)
    await dialog.getByText('Algebra · Ended').waitFor()
    await dialog.getByText('There have been none today.').waitFor()
    await dialog.getByText('Days', { exact: true }).click()
    await dialog.getByLabel('Days to add').fill('10')
    await dialog.getByRole('button', { name: 'Check what would change' }).click()
    await dialog.getByText('2 accesses will change.').waitFor()
    await dialog.getByRole('list', { name: 'Examples' }).getByText('Ben Smith').waitFor()
    assert.deepEqual(await accessesOf(fixture, product), before, 'a dry run changes nothing')
    await dialog.getByRole('button', { name: 'Change 2 due dates' }).click()
    await page.getByText('The bulk change has started.').waitFor()
    await ended(fixture)
    const after = await accessesOf(fixture, product)
    assert.equal(after['Cleo'].access_due_date, before['Cleo'].access_due_date)
    for (const name of ['Ada', 'Ben']) {
      const end = after[name].access_due_date
      const days = (Date.parse(end) - Date.now()) / DAY_MS
      assert.ok(days > 9.9 && days <= 11 && end.endsWith('T23:59:59.999Z'), `${name}: ${end}`)
    }
    await page.getByRole('link', { name: 'Bulk changes', exact: true }).click()
    const table = page.getByRole('table', { name: 'Bulk changes' })
    await table.getByRole('link', { name: /^Set the due date to/ }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revert' }).click()
    await page
      .getByRole('dialog')
      .getByText(/2 accesses will get back/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
    await page
      .getByRole('link', { name: /Revert bulk change \d+/ })
      .first()
      .waitFor()
    await ended(fixture)
    assert.equal((await accessesOf(fixture, product))['Ben'].access_due_date, before['Ben'].access_due_date)
    await page
      .getByRole('link', { name: /Revert bulk change/ })
      .last()
      .click()
    await page.getByText('Reverted', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Reverted by bulk change \d+$/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Revert' }).count(), 0)
    await done()
  })

  it('sets a date for the selected accesses only, and keeps the selection from page to page', async () => {
    const fixture = await createFixture()
    const product = await seed(fixture, { Ada: 3, Ben: 3, Cleo: 3 })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    for (const name of ['Ada', 'Cleo']) {
      await page.getByRole('checkbox', { name: `Select ${name} Smith, Algebra` }).check()
    }
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Change the selected…' }).click()
    const dialog = dialogOf(page)
    await dialog.getByText('Algebra · 2 selected users').waitFor()
    await dialog.getByRole('radio', { name: 'Set the due date' }).check()
    await dialog.getByRole('checkbox', { name: 'No limit' }).check()
    await dialog.getByRole('button', { name: 'Check what would change' }).click()
    await dialog.getByRole('button', { name: 'Change 2 due dates' }).click()
    await page.getByText('The bulk change has started.').waitFor()
    await ended(fixture)
    const { Ada, Ben, Cleo } = await accessesOf(fixture, product)
    assert.deepEqual([Ada.access_due_date, Cleo.access_due_date], [null, null])
    assert.notEqual(Ben.access_due_date, null)
    await done()
  })

  it('never shortens unless it is told to, and says how many would end earlier or get a limit', async () => {
    const fixture = await createFixture()
    const product = await seed(fixture, { Ada: 3, Ben: 90, Cleo: null })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses?product=${product.id}`)
    await page.getByRole('button', { name: 'Change all matches…' }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('radio', { name: 'Set the due date' }).check()
    const check = dialog.getByRole('button', { name: 'Check what would change' })
    await check.click()
    await dialog.getByText('1 access will change, 2 will stay the same.').waitFor()
    await dialog.getByRole('button', { name: 'Choose something else' }).click()
    await dialog.getByRole('checkbox', { name: 'Never shorten' }).uncheck()
    await check.click()
    await dialog.getByText('3 accesses will change.').waitFor()
    assert.deepEqual(
      await dialog.getByRole('list', { name: 'What would change' }).getByRole('listitem').allInnerTexts(),
      ['1 access ends earlier', '1 access without a limit gets a due date', '1 access ends later'],
    )
    // Those that lose something come first.
    const examples = dialog.getByRole('list', { name: 'Examples' }).getByRole('listitem')
    await examples.nth(2).getByText('Ada Smith').waitFor()
    await assertPageIsAccessible(page)
    await done()
  })

  it('does not call it later that an access ends in the same second of the day, and keeps its effects on its page', async () => {
    const fixture = await createFixture()
    const product = await seed(fixture, { Ada: 3, Ben: 3, Cleo: 90 })
    const { Ada, Ben } = await accessesOf(fixture, product)
    const last = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
    // Shops end a day without milliseconds, and the console with 999.
    await fixture.api('PUT', `/product_accesses/${Ben.id}`, { access_due_date: `${last}T23:59:59.000Z` })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses?product=${product.id}`)
    await page.getByRole('button', { name: 'Change all matches…' }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('radio', { name: 'Set the due date' }).check()
    // The form begins with the day in 30 days.
    await dialog.getByRole('button', { name: 'Check what would change' }).click()
    await dialog.getByText('1 access will change, 2 will stay the same.').waitFor()
    assert.deepEqual(
      await dialog.getByRole('list', { name: 'What would change' }).getByRole('listitem').allInnerTexts(),
      ['1 access ends later', '1 access already ends on this day'],
    )
    const examples = dialog.getByRole('list', { name: 'Examples' }).getByRole('listitem')
    await examples.filter({ hasText: 'Ada Smith' }).waitFor()
    assert.equal(await examples.count(), 1)
    await dialog.getByRole('button', { name: 'Change 1 due date' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await ended(fixture)
    assert.equal((await accessesOf(fixture, product))['Ada'].access_due_date, `${last}T23:59:59.999Z`)
    assert.notEqual(Ada.access_due_date, `${last}T23:59:59.999Z`)
    await page.getByRole('link', { name: 'Bulk changes' }).click()
    await page.getByRole('link', { name: /^Set the due date to/ }).click()
    await page.getByRole('list', { name: 'Changed' }).getByText('2 accesses end later').waitFor()
    await page.getByText('Stayed as they were').waitFor()
    await assertPageIsAccessible(page)
    await done()
  })

  it('extends and closes everything that selected people have, and cancels all that wait at once', async () => {
    const fixture = await createFixture()
    const [algebra, botany] = [await seed(fixture, { Ada: 3, Ben: 3 }), await seed(fixture, { Ada: 3 }, 'Botany')]
    const before = await accessesOf(fixture, algebra)
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/users`)
    await page.getByRole('checkbox', { name: 'Select Ada Smith' }).check()
    await page.getByRole('button', { name: 'Extend all…' }).click()
    const dialog = dialogOf(page)
    await dialog.getByText('A year', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Check what would change' }).click()
    await dialog.getByRole('button', { name: 'Extend 2 accesses' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await ended(fixture)
    const after = [await accessesOf(fixture, algebra), await accessesOf(fixture, botany)]
    for (const accesses of after) assert.ok(Date.parse(accesses['Ada'].access_due_date) > Date.now() + 360 * DAY_MS)
    assert.equal(after[0]?.['Ben'].access_due_date, before['Ben'].access_due_date)

    const canceled: string[] = []
    await page.route('**/bulk_changes?*', async (route) => {
      const { data } = await (await route.fetch()).json()
      const waiting = [
        { ...data[0], id: '7', state: 'queued' },
        { ...data[0], id: '8', state: 'queued' },
      ]
      return route.fulfill({ json: { data: canceled.length < 2 ? waiting : data, next: null } })
    })
    await page.route('**/cancel', (route) => {
      canceled.push(route.request().url().split('/').at(-2) ?? '')
      return route.fulfill({ json: {} })
    })
    await page.getByRole('link', { name: 'Bulk changes', exact: true }).click()
    await page.reload()
    await page.getByText('2 bulk changes wait for others to end.').waitFor()
    await page.getByRole('button', { name: 'Cancel all that wait' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel all that wait' }).click()
    await page.getByText('The bulk changes that waited are canceled.').waitFor()
    assert.deepEqual(canceled, ['7', '8'])
    await page.unrouteAll({ behavior: 'wait' })
    await done()
  })

  it('does not mix selected accesses to several products', async () => {
    const fixture = await createFixture()
    await seed(fixture, { Ada: 3 })
    await seed(fixture, { Ben: 3 }, 'Botany')
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await page.getByText(/You have selected accesses to several products/).waitFor()
    assert.equal(await page.getByRole('link', { name: /^Everything that/ }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Change the selected…' }).isDisabled(), true)
    await done()
  })

  it('closes all accesses of a store in red, reopens them, and asks how many there are', async () => {
    const fixture = await createFixture()
    const product = await seed(fixture, { Ada: 3, Ben: 3 })
    const { Ada } = await accessesOf(fixture, product)
    const store = fixture.store.replace('shop-', 'academy ')
    await fixture.api('PUT', `/product_accesses/${Ada.id}`, { status: 'without_access' })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    for (const [kind, status] of [
      ['Close', 'without_access'],
      ['Reopen', 'with_access'],
    ] as const) {
      await page.getByRole('button', { name: 'Change all matches…' }).click()
      await dialogOf(page).getByRole('radio', { name: kind }).check()
      await dialogOf(page).getByRole('button', { name: 'Check what would change' }).click()
      if (kind === 'Close') {
        await dialogOf(page).getByText('1 access will change, 1 will stay the same.').waitFor()
        assert.equal(await dialogOf(page).getByRole('button', { name: 'Close 1 access' }).isDisabled(), true)
      }
      const start = dialogOf(page).getByRole('button', { name: new RegExp(`^${kind} \\d+ access`) })
      await dialogOf(page)
        .getByLabel(/^This concerns many accesses/)
        .fill(kind === 'Close' ? '1' : store)
      const isRed = await start.evaluate((button) => button.getAttribute('style')?.includes('red'))
      assert.equal(isRed, kind === 'Close')
      await start.click()
      await dialogOf(page).waitFor({ state: 'hidden' })
      await ended(fixture)
      const statuses = Object.values(await accessesOf(fixture, product)).map((access) => access.status)
      assert.deepEqual(statuses, [status, status])
    }
    await done()
  })

  it('lists today’s bulk changes before the next one, and warns before the same one is made again', async () => {
    const fixture = await createFixture()
    const product = await seed(fixture, { Ada: 3, Ben: -2 })
    const { token, store, api } = fixture
    await api('POST', '/bulk_changes', { filter: { product_id: product.id }, change: { extend_days: 30 } })
    await ended(fixture)
    const { page, done } = await openConsole(token, `/s/${store}/accesses?product=${product.id}`)
    await page.getByRole('button', { name: 'Change all matches…' }).click()
    const today = dialogOf(page).getByRole('list', { name: 'Today’s bulk changes of this store' })
    await today.getByRole('link', { name: 'Extend by 30 days' }).waitFor()
    await today.getByText('Algebra · Done · 2 changed').waitFor()
    await assertPageIsAccessible(page)
    await dialogOf(page).getByText('Days', { exact: true }).click()
    await dialogOf(page).getByRole('button', { name: 'Check what would change' }).click()
    await dialogOf(page).getByRole('button', { name: 'Extend 2 accesses' }).waitFor()
    await page.getByText('The same change of the same product was already made today.', { exact: false }).waitFor()
    await assertPageIsAccessible(page)
    await done()
  })

  it('shows its progress on every screen of the store, also in a new browser, and is canceled', async () => {
    const fixture = await createFixture()
    const { token, store, api } = fixture
    await seedMany(fixture)
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    await page.getByRole('heading', { name: 'Products' }).waitFor()
    // They run one after the other, so that one of them is running while the browser looks, on any machine.
    const started: string[] = []
    for (let days = 1; days <= BULK_CHANGES; days++) {
      started.push((await api('POST', '/bulk_changes', { filter: {}, change: { extend_days: days } })).id)
    }
    const progress = page.getByText(/^[1-9][\d,]* changed so far$/)
    await page.reload()
    await progress.first().waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    // The bar of one that still waits for its turn has no width, so it is not visible; the text of the one that runs is.
    await progress.first().waitFor()
    await page.getByRole('progressbar').first().waitFor({ state: 'attached' })
    await page.getByRole('link', { name: `Extend by ${BULK_CHANGES} days` }).click()
    await page.getByRole('heading', { name: `Bulk change ${started.at(-1)}` }).waitFor()
    await page.getByRole('button', { name: 'Cancel the bulk change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the bulk change' }).click()
    await page.getByText('Canceled', { exact: true }).waitFor()
    await assertPageIsAccessible(page)
    await page.getByRole('progressbar').first().waitFor({ state: 'detached', timeout: 120_000 })
    await page
      .getByText(`The bulk change is done: ${MANY.toLocaleString('en')} accesses changed.`)
      .first()
      .waitFor()
    await done()
    const changes = await ended(fixture)
    assert.deepEqual(
      changes.map(({ state }) => state),
      ['canceled', ...started.slice(1).map(() => 'done')],
    )
  })

  it('shows its progress on the screens of the service too, with the name of the store that was open last', async () => {
    const fixture = await createFixture()
    const { token, store, api } = fixture
    await seed(fixture, { Ada: 3 })
    await api('POST', '/bulk_changes', { filter: {}, change: { extend_days: 30 } })
    await ended(fixture)
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    // A real one could end before the last screen is open.
    await page.route('**/bulk_changes?*', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      for (const change of json.data) Object.assign(change, { state: 'running', progress: 40, changed: 12 })
      await route.fulfill({ response, json })
    })
    await page.reload()
    const bar = page.getByText(`${store.replace('shop-', 'Academy ')}: Extend by 30 days`)
    await bar.waitFor()
    for (const screen of ['Stores', 'Operators', 'Service status']) {
      await page.getByRole('link', { name: screen, exact: true }).click()
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor()
      await bar.waitFor()
      await page.getByText('12 changed so far').waitFor()
    }
    // A response that is still being changed when the page closes would fail the test.
    await page.unrouteAll({ behavior: 'wait' })
    await done()
  })

  it('shows ten examples of what would change, however many accesses match', async () => {
    const fixture = await createFixture()
    await seed(fixture, Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`Person${n}`, 3])))
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    await page.getByRole('button', { name: 'Change all matches…' }).click()
    await dialogOf(page).getByText('Days', { exact: true }).click()
    await dialogOf(page).getByLabel('Days to add').fill('10')
    await dialogOf(page).getByRole('button', { name: 'Check what would change' }).click()
    await dialogOf(page).getByText('12 accesses will change.').waitFor()
    const examples = dialogOf(page).getByRole('list', { name: 'Examples' }).getByRole('listitem')
    await examples.first().waitFor()
    assert.equal(await examples.count(), 10)
    await done()
  })

  it('shows examples of those that change, also if more than a hundred newer ones stay as they are', async () => {
    const fixture = await createFixture()
    const product = await seed(fixture, { Ada: 3 })
    for (const part of ['x', 'y']) {
      const items = Array.from({ length: 60 }, (_, n) => ({
        name: 'Ben',
        last_name: 'Smith',
        email: `${part}${n}@example.com`,
        product_accesses: [{ slug: 'algebra', access_due_date: null }],
      }))
      await fixture.api('POST', '/users/batch', { items })
    }
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses?product=${product.id}`)
    await page.getByRole('button', { name: 'Change all matches…' }).click()
    await dialogOf(page).getByRole('button', { name: 'Check what would change' }).click()
    await dialogOf(page).getByText('1 access will change, 120 will stay the same.').waitFor()
    const examples = dialogOf(page).getByRole('list', { name: 'Examples' }).getByRole('listitem')
    await examples.getByText('Ada Smith').waitFor()
    assert.equal(await examples.count(), 1)
    await done()
  })

  it('shows who started it, in every list and on its own screen', async () => {
    const fixture = await createFixture()
    const { token, store, api } = fixture
    await seed(fixture, { Ada: 3 })
    const { name } = await call('GET', '/admin/operator', undefined, token)
    await api('POST', '/bulk_changes', { filter: {}, change: { extend_days: 30 } })
    await ended(fixture)
    const { page, done } = await openConsole(token, `/s/${store}/accesses`)
    await page.getByRole('button', { name: 'Change all matches…' }).click()
    const today = dialogOf(page).getByRole('list', { name: 'Today’s bulk changes of this store' })
    await today.getByRole('listitem').filter({ hasText: name }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Bulk changes', exact: true }).click()
    const row = page.getByRole('table', { name: 'Bulk changes' }).getByRole('row').filter({ hasText: name })
    await row.getByRole('link', { name: 'Extend by 30 days' }).click()
    await page.getByRole('heading', { name: /^Bulk change \d+$/ }).waitFor()
    await page.getByRole('main').getByText(name, { exact: true }).waitFor()
    await done()
  })

  it('is listed with the newest first or the oldest first', async () => {
    const fixture = await createFixture()
    const { token, store, api } = fixture
    for (const extend_days of [1, 2]) await api('POST', '/bulk_changes', { filter: {}, change: { extend_days } })
    const { page, done } = await openConsole(token, `/s/${store}/bulk-changes`)
    const links = page.getByRole('table', { name: 'Bulk changes' }).getByRole('link')
    await links.first().filter({ hasText: 'Extend by 2 days' }).waitFor()
    await page.getByText('Oldest first').click()
    await links.first().filter({ hasText: 'Extend by 1 day' }).waitFor()
    await page.reload()
    await links.first().filter({ hasText: 'Extend by 1 day' }).waitFor()
    assert.equal(await links.count(), 2)
    await done()
  })

  it('returns the focus when the dialog is closed', async () => {
    const fixture = await createFixture()
    await seed(fixture, { Ada: 3 })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    const button = page.getByRole('button', { name: 'Change all matches…' })
    await button.click()
    await dialogOf(page).waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    await page.waitForFunction(() => document.activeElement?.textContent === 'Change all matches…')
    await done()
  })
})
