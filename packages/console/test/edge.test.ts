/** The console behind a proxy that does what Cloudflare's edge does: it weakens the ETags with which the console saves. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Page } from 'playwright-core'
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

/** Chooses a file and checks it, which ends in what the response to the first batch says. */
async function checkFile(page: Page): Promise<void> {
  const buffer = Buffer.from('name,last_name,email\nAda,Lovelace,ada@example.com\n')
  await page.getByLabel('Choose a file').setInputFiles({ name: 'a.csv', mimeType: '', buffer })
  await page.getByRole('button', { name: 'Check without importing' }).click()
}

it('stops an import that Cloudflare rejects, with the number to quote', async () => {
  const { token, store } = await createFixture()
  const { page, done } = await openConsole(token, `/s/${store}/import`, { serviceOrigin, expected: ['403'] })
  await page.route('**/users/batch', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'edge-answer': 'block' } }),
  )
  await checkFile(page)
  await page.getByText(/a rule of the firewall blocks it.*\(CF-Ray: [0-9a-f]{16}-LIS\)/).waitFor()
  await done()
})

it('imports without a token behind Cloudflare Access, and says so when its session ends', async () => {
  const { token, store } = await createFixture()
  const { page, done } = await openConsole(undefined, '/', { serviceOrigin })
  await page.route('**/admin/**', (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } }),
  )
  await page.goto(`${serviceOrigin}/console#/s/${store}/import`)
  await page.reload()
  await checkFile(page)
  await page.getByRole('heading', { name: 'Check finished' }).waitFor()
  const location = 'https://team.cloudflareaccess.com/cdn-cgi/access/login'
  await page.route('**/users/batch', (route) => route.fulfill({ status: 302, headers: { location } }))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Your sign-in has ended').first().waitFor()
  await done()
})
