/** The console behind a proxy that does what Cloudflare's edge does: it weakens the ETags with which the console saves. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { startEdge } from '../../../scripts/edge/edge.ts'
import { createFixture, openConsole, origin } from './service.ts'

const edge = await startEdge({ port: 0, upstream: Number(new URL(origin).port) })
const serviceOrigin = `http://localhost:${edge.port}`
after(() => edge.stop())

it('saves a user that it has read with a weak tag', async () => {
  const fixture = await createFixture()
  const user = await fixture.api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/users/${user.id}`, { serviceOrigin })
  const [response] = await Promise.all([
    page.waitForResponse(`**/users/${user.id}`),
    page.getByRole('button', { name: 'Edit' }).click(),
  ])
  assert.match((await response.allHeaders())['etag'] ?? '', /^W\/"/)
  const form = page.getByRole('dialog', { name: 'Edit the user' })
  await form.getByLabel('Last name').fill('King')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ada King' }).waitFor()
  await done()
})

it('shows what Cloudflare rejects, with the number to quote', async () => {
  const { token, store } = await createFixture()
  const { page, done } = await openConsole(token, `/s/${store}/tokens`, { serviceOrigin, expected: ['403'] })
  await page.getByText('There are no access tokens yet.').waitFor()
  await page.route('**/products?*', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'edge-answer': 'challenge' } }),
  )
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByText('check that a person sends this').waitFor()
  await page.getByText(/[0-9a-f]{16}-LIS/).waitFor()
  await done()
})
