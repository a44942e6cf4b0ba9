import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call, countStats, createFixture, openConsole } from './service.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Three users: one whose access ends this week, one whose access ends later, one whose access has ended. */
async function createCounted() {
  const fixture = await createFixture()
  const product = await fixture.api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  const due = { Ada: inDays(3), Ben: inDays(30), Cleo: inDays(-3) }
  const items = Object.entries(due).map(([name, access_due_date]) => ({
    name,
    last_name: 'Smith',
    email: `${name}@example.com`,
    product_accesses: [{ product_id: product.id, access_due_date }],
  }))
  await fixture.api('POST', '/users/batch', { items })
  await countStats(fixture)
  return fixture
}

describe('the overview of a store', () => {
  it('shows totals that link to the lists that they count', async () => {
    const { token, store } = await createCounted()
    const { page, done } = await openConsole(token, `/s/${store}`)
    const opens = async (link: string, people: string[]) => {
      await page.getByRole('link', { name: link, exact: true }).click()
      for (const name of people) await page.getByRole('link', { name: `${name} Smith` }).waitFor()
      assert.equal(await page.getByRole('link', { name: / Smith$/ }).count(), people.length)
      await page.goBack()
    }
    await opens('Users: 3', ['Ada', 'Ben', 'Cleo'])
    await opens('Accesses: 3', ['Ada', 'Ben', 'Cleo'])
    await opens('Accesses in force: 2', ['Ada', 'Ben'])
    await opens('In force, ending within 7 days: 1', ['Ada'])
    await opens('Algebra, Accesses: 3', ['Ada', 'Ben', 'Cleo'])
    await opens('Algebra, Accesses in force: 2', ['Ada', 'Ben'])
    await done()
  })

  it('shows the number of events per day with a scale, for the period in the URL', async () => {
    const { token, store } = await createCounted()
    const { page, done } = await openConsole(token, `/s/${store}`)
    const users = page.getByRole('figure').filter({ hasText: 'Users created' })
    await page.getByRole('img', { name: 'Users created: 3 in 30 days' }).waitFor()
    // The highest bar is 3 and the scale is even.
    for (const tick of ['4', '2', '0']) await users.getByText(tick, { exact: true }).waitFor()
    await page.getByText('7 days', { exact: true }).click()
    await page.getByRole('img', { name: 'Users created: 3 in 7 days' }).waitFor()
    await page.reload()
    await page.getByRole('img', { name: 'Users created: 3 in 7 days' }).waitFor()
    await done()
  })
})

describe('the status of the service', () => {
  it('shows the database, the stores and the jobs, and links to each endpoint that is disabled', async () => {
    const { token, store, api } = await createFixture()
    const { id } = await api('POST', '/webhook_endpoints', { url: 'https://receiver.example.com/hook' })
    const status = await call('GET', '/admin/status')
    const endpoint = await api('GET', `/webhook_endpoints/${id}`)
    const { page, done } = await openConsole(token, `/s/${store}`)
    // An endpoint is only disabled after three days of failures.
    await page.route('**/admin/status', (route) =>
      route.fulfill({ json: { ...status, webhooks: { ...status.webhooks, disabled_endpoints: 1 } } }),
    )
    await page.route(`**/admin/stores/${store}/webhook_endpoints*`, (route) =>
      route.fulfill({ json: { data: [{ ...endpoint, enabled: false, state: 'disabled' }], next: null } }),
    )
    await page.route('**/admin/stores?*', (route) =>
      route.fulfill({ json: { data: [{ id: store, name: 'Academy' }], next: null } }),
    )
    await page.getByRole('link', { name: 'Service status' }).click()
    for (const title of ['Database', 'Webhooks', 'Stores', 'Jobs']) {
      await page.getByRole('heading', { name: title }).waitFor()
    }
    await page.getByText('1 webhook endpoint is disabled').waitFor()
    await page.getByRole('link', { name: 'https://receiver.example.com/hook' }).click()
    await page.waitForURL(new RegExp(`/s/${store}/webhooks/${id}$`))
    await done()
  })

  it('is not offered to an operator of some stores, who is told why', async () => {
    const { store } = await createFixture()
    const { token } = await call('POST', '/admin/operators', {
      name: `Local ${store}`,
      role: 'admin',
      stores: [store],
    })
    const { page, done } = await openConsole(token, `/s/${store}/users`, { expected: ['403'] })
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Service status' }).count(), 0)
    await page.goto(page.url().replace(/#.*/, '#/status'))
    await page.getByText('Only operators of all stores can see the status of the service.').waitFor()
    await done()
  })
})
