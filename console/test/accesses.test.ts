import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertPageIsAccessible,
  assertScreenIsAccessible,
  createFixture,
  openConsole,
  type Fixture,
} from './service.ts'

const DAY_MS = 86_400_000

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** Creates a user per name with one access each. `due` is in days from now; null means no limit. */
async function seed(fixture: Fixture, wanted: Record<string, { due: number | null; status?: string }>) {
  const { api } = fixture
  const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  const accesses: Record<string, any> = {}
  for (const [name, { due, status = 'with_access' }] of Object.entries(wanted)) {
    const email = `${name.toLowerCase()}@example.com`
    const user = await api('POST', '/users', { name, last_name: 'Smith', email })
    accesses[name] = await api('POST', '/product_accesses', {
      user_id: user.id,
      product_id: product.id,
      status,
      access_due_date: due === null ? null : inDays(due),
    })
  }
  return { product, accesses }
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const resultOf = (page: Page, name: string) => page.getByRole('dialog').getByRole('row').filter({ hasText: name })
const select = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name} Smith, Algebra` }).check()

describe('the list of accesses', () => {
  it('filters accesses by product, status and due date, and keeps the filters in the URL', async () => {
    const fixture = await createFixture()
    const { product } = await seed(fixture, {
      Ada: { due: 3 },
      Ben: { due: 20 },
      Cleo: { due: -2 },
      Dora: { due: 3, status: 'without_access' },
      Emil: { due: null },
    })
    await fixture.api('POST', '/products', { name: 'Botany', slug: 'botany', type: 'course' })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses?unknown=1`)
    await rowOf(page, 'Emil').getByText('No limit').waitFor()
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Due', 'Within 7 days')
    await rowOf(page, 'Ben').waitFor({ state: 'detached' })
    await rowOf(page, 'Dora').waitFor()
    await choose('Status', 'With access')
    await rowOf(page, 'Dora').waitFor({ state: 'detached' })
    await choose('Product', 'Algebra')
    assert.match(page.url(), /due_after=.*due_before=|due_before=.*due_after=/)
    assert.match(page.url(), /status=with_access/)
    await page.reload()
    await rowOf(page, 'Ada').waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    assert.equal(await page.getByRole('combobox', { name: 'Product' }).inputValue(), 'Algebra')
    assert.equal(await page.getByRole('combobox', { name: 'Due' }).inputValue(), 'Within 7 days')
    await choose('Due', 'In the past')
    await rowOf(page, 'Cleo').getByText('expired', { exact: true }).waitFor()
    await choose('Product', 'Botany')
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await page.getByRole('link', { name: 'Ada Smith' }).click()
    assert.match(page.url(), /\/users\/\d+/)
    assert.notEqual(product.id, undefined)
    await done()
  })

  it('previews an extension by days, runs it, and shows the result of each access', async () => {
    const fixture = await createFixture()
    const { accesses } = await seed(fixture, {
      Ada: { due: 3 },
      Ben: { due: -40 },
      Cleo: { due: null },
      Dora: { due: 5, status: 'without_access' },
    })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await page.getByText('4 selected').waitFor()
    await page.getByRole('button', { name: 'Extend…' }).click()
    await page.getByLabel('Days to add').fill('10')
    await assertPageIsAccessible(page)
    await page.getByRole('button', { name: 'Preview the changes' }).click()
    await page.getByText('3 will change, 1 will stay the same').waitFor()
    await resultOf(page, 'Ben').getByText('The date is still in the past.').waitFor()
    await resultOf(page, 'Cleo').getByText('No change: it has no limit.').waitFor()
    await resultOf(page, 'Dora').getByText('It stays without access until you reopen it.').waitFor()
    await assertPageIsAccessible(page)
    assert.equal(
      (await fixture.api('GET', `/product_accesses/${accesses['Ada'].id}`)).access_due_date,
      accesses['Ada'].access_due_date,
    )
    await page.getByRole('button', { name: 'Extend 3 now' }).click()
    await page.getByText('3 changed, 1 needed no change').waitFor()
    await resultOf(page, 'Ada').getByText('Done').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Select accesses to change several at once.').waitFor()
    await done()
    for (const name of ['Ada', 'Ben', 'Dora']) {
      const { access_due_date: due } = await fixture.api('GET', `/product_accesses/${accesses[name].id}`)
      assert.equal(Date.parse(due) - Date.parse(accesses[name].access_due_date), 10 * DAY_MS, name)
    }
  })

  it('extends accesses to a date, and shortens an access only if the operator asks for it', async () => {
    const fixture = await createFixture()
    const { accesses } = await seed(fixture, { Ada: { due: 3 }, Ben: { due: 400 } })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await page.getByRole('button', { name: 'Extend…' }).click()
    await page.getByLabel('Days to add').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The focus returns to the button that opened the dialog.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Extend…')
    await page.keyboard.press('Enter')
    await page.getByText('To a date').click()
    await page.getByRole('button', { name: 'Preview the changes' }).click()
    await resultOf(page, 'Ben').getByText('it already ends later').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByText('To a date').click()
    await page.getByLabel('Also shorten accesses that end later').check()
    await page.getByRole('button', { name: 'Preview the changes' }).click()
    await resultOf(page, 'Ben').getByText('It ends earlier than before.').waitFor()
    await page.getByRole('button', { name: 'Extend 2 now' }).click()
    await page.getByText('2 changed').waitFor()
    await done()
    const dues = await Promise.all(
      Object.values(accesses).map(
        async ({ id }) => (await fixture.api('GET', `/product_accesses/${id}`)).access_due_date,
      ),
    )
    assert.equal(dues[0], dues[1])
  })

  it('closes and reopens accesses, and does not overwrite a change that another operator made in between', async () => {
    const fixture = await createFixture()
    const { accesses } = await seed(fixture, { Ada: { due: 3 }, Ben: { due: 3 } })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`, { expected: ['412'] })
    await select(page, 'Ada')
    await select(page, 'Ben')
    await page.getByRole('button', { name: 'Close…' }).click()
    await page.getByText('2 will change').waitFor()
    await fixture.api('PUT', `/product_accesses/${accesses['Ada'].id}`, { access_due_date: inDays(100) })
    await page.getByRole('button', { name: 'Close 2 now' }).click()
    await page.getByText('1 changed, 1 not changed').waitFor()
    await resultOf(page, 'Ada').getByText('someone else has changed it').waitFor()
    await resultOf(page, 'Ada').getByRole('button', { name: 'Copy the request ID' }).waitFor()
    await resultOf(page, 'Ben').getByText('Done').waitFor()
    await assertPageIsAccessible(page)
    await page.getByRole('button', { name: 'Try 1 access again' }).click()
    await page.getByRole('button', { name: 'Close 1 now' }).click()
    await page.getByText('1 changed').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await rowOf(page, 'Ada').getByText('Without access').waitFor()
    await select(page, 'Ada')
    await page.getByRole('button', { name: 'Reopen…' }).click()
    await page.getByRole('button', { name: 'Reopen 1 now' }).click()
    await page.getByText('1 changed').waitFor()
    await done()
    const statuses = await Promise.all(
      Object.values(accesses).map(async ({ id }) => (await fixture.api('GET', `/product_accesses/${id}`)).status),
    )
    assert.deepEqual(statuses, ['with_access', 'without_access'])
  })

  it('continues with the other accesses if one is rejected or no longer exists', async () => {
    const fixture = await createFixture()
    const { accesses } = await seed(fixture, { Ada: { due: 3 }, Ben: { due: 3 }, Cleo: { due: 3 } })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`, {
      expected: ['404', '422'],
    })
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await fixture.api('DELETE', `/users/${accesses['Ada'].user.id}`)
    await page.getByRole('button', { name: 'Extend…' }).click()
    await page.getByRole('button', { name: 'Preview the changes' }).click()
    await page.getByText('2 will change, 1 could not be read').waitFor()
    await resultOf(page, `Access ${accesses['Ada'].id}`).getByText('Request ID').waitFor()
    await fixture.api('DELETE', `/users/${accesses['Ben'].user.id}`)
    await page.getByRole('button', { name: 'Extend 2 now' }).click()
    await page.getByText('1 changed, 2 not changed').waitFor()
    await resultOf(page, 'Ben').getByText('Rejected').waitFor()
    await resultOf(page, 'Cleo').getByText('Done').waitFor()
    await done()
  })

  it('waits as long as Retry-After says during a bulk change, and can be stopped while it waits', async () => {
    const fixture = await createFixture()
    const { accesses } = await seed(fixture, { Ada: { due: 3 }, Ben: { due: 3 } })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`, { expected: ['429'] })
    let refused = 0
    const refuse = async (seconds: number) => {
      await page.route('**/product_accesses/*', async (route) => {
        if (route.request().method() !== 'PUT' || refused++ > 0) return route.fallback()
        const error = { type: 'rate_limited', code: 'rate_limited', message: 'Too many requests.' }
        return route.fulfill({ status: 429, headers: { 'retry-after': String(seconds) }, json: error })
      })
    }
    await refuse(60)
    await select(page, 'Ada')
    await page.getByRole('button', { name: 'Close…' }).click()
    await page.getByRole('button', { name: 'Close 1 now' }).click()
    await page.getByText(/The service is busy\. This continues in \d+ seconds/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await resultOf(page, 'Ada').getByText('Not changed: you stopped before it was sent').waitFor()
    await page.unroute('**/product_accesses/*')
    refused = 0
    await refuse(1)
    await page.getByRole('button', { name: 'Try 1 access again' }).click()
    await page.getByRole('button', { name: 'Close 1 now' }).click()
    await page.getByText('1 changed').waitFor()
    assert.equal(refused, 2)
    await done()
    assert.equal((await fixture.api('GET', `/product_accesses/${accesses['Ada'].id}`)).status, 'without_access')
  })

  it('reports a lost response of a bulk change, and finds out the result when the operator tries again', async () => {
    const fixture = await createFixture()
    await seed(fixture, { Ada: { due: 3 } })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`, {
      expected: ['ERR_FAILED'],
    })
    await page.route('**/product_accesses/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      await route.fetch()
      return route.abort()
    })
    await select(page, 'Ada')
    await page.getByRole('button', { name: 'Close…' }).click()
    await page.getByRole('button', { name: 'Close 1 now' }).click()
    await resultOf(page, 'Ada').getByText('There was no response').waitFor()
    await page.getByRole('button', { name: 'Try 1 access again' }).click()
    await resultOf(page, 'Ada').getByText('No change: it is already closed.').waitFor()
    await page.getByText('There is nothing to change.').waitFor()
    await done()
  })

  it('selects accesses across pages or all matches, and sends at most four requests at once', async () => {
    const fixture = await createFixture()
    const product = await fixture.api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    const items = Array.from({ length: 60 }, (_, i) => ({
      name: `Student ${i}`,
      last_name: 'Smith',
      email: `s${i}@example.com`,
      product_accesses: [{ product_id: product.id, access_due_date: inDays(5) }],
    }))
    await fixture.api('POST', '/users/batch', { items })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    await page.getByRole('checkbox', { name: 'Select Student 0 Smith, Algebra' }).check()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('checkbox', { name: 'Select Student 59 Smith, Algebra' }).check()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Select all matches' }).click()
    await page.getByText('60 selected').waitFor()
    let [now, most] = [0, 0]
    await page.route('**/product_accesses/*', async (route) => {
      most = Math.max(most, ++now)
      const response = await route.fetch()
      now--
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Close…' }).click()
    await page.getByRole('button', { name: 'Close 60 now' }).click()
    await page.getByText('60 changed').waitFor()
    assert.equal(most, 4)
    await done()
    const { data } = await fixture.api('GET', '/product_accesses?status=with_access')
    assert.deepEqual(data, [])
  })

  it('shows the accesses to a viewer without offering a change', async () => {
    const fixture = await createFixture('viewer')
    await seed(fixture, { Ada: { due: 3 }, Ben: { due: -3 }, Cleo: { due: null, status: 'without_access' } })
    await assertScreenIsAccessible(fixture.token, `/s/${fixture.store}/accesses`, async (page) => {
      await rowOf(page, 'Ada').waitFor()
      assert.equal(await page.getByRole('checkbox').count(), 0)
      assert.equal(await page.getByRole('button', { name: /Extend|Reopen|Select/ }).count(), 0)
    })
  })

  it('has an accessible list of accesses with a selection, in both color schemes and widths', async () => {
    const fixture = await createFixture()
    await seed(fixture, { Ada: { due: 3 }, Ben: { due: -40 } })
    await assertScreenIsAccessible(fixture.token, `/s/${fixture.store}/accesses`, async (page) => {
      await page.getByRole('checkbox', { name: 'Select Ada Smith, Algebra' }).check()
      await select(page, 'Ben')
      await assertPageIsAccessible(page)
      await page.getByRole('button', { name: 'Extend…' }).click()
      await page.getByRole('button', { name: 'Preview the changes' }).click()
      await page.getByText('2 will change').waitFor()
    })
  })
})
