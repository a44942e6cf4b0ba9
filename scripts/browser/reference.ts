/** Uses the reference page as a reader does. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { PAGE_NAMES } from '../docs-pages.ts'
import type { Service } from '../service.ts'
import { assertAccessible, type Exception } from './axe.ts'
import { openContext, watchPage } from './chromium.ts'

const OPERATIONS = {
  createPublicUser: ['tag/users/POST/v3/public/users', 'Create a user (public v3)'],
  createUser: ['tag/users/POST/v1/stores/{store_id}/users', 'Create a user'],
  updateProductAccess: [
    'tag/product-accesses/PUT/v1/stores/{store_id}/product_accesses/{id}',
    'Change the status or the due date of an access',
  ],
  listStores: ['tag/stores/GET/admin/stores', 'List the stores'],
} as const

/** Elements in Scalar's templates that lack a name or a state. No setting or style of ours can correct them. */
const SCALAR_LACKS: Exception[] = [
  // The name of the buttons that copy a sample is in a tooltip, which exists only while the pointer is over them.
  { rule: 'button-name', selector: 'button[class*="copy-button"]' },
  { rule: 'aria-valid-attr-value', selector: 'button[class*="copy-button"]' },
  // Long examples scroll in their cards. Browsers allow this by keyboard, but Scalar sets no tabindex.
  { rule: 'scrollable-region-focusable', selector: '.scalar-card-content' },
  // A screen reader says "Show all Users endpoints" for the button "Show more".
  { rule: 'label-content-name-mismatch', selector: 'button.show-more' },
  // In the test client: comboboxes without aria-expanded, an editor without a name, and info buttons.
  { rule: 'aria-required-attr', selector: '.code-input-lite__editor[role=combobox]' },
  { rule: 'aria-input-field-name', selector: '.cm-content[role=textbox]' },
  { rule: 'aria-prohibited-attr', selector: 'button[role=none]' },
]

export async function tryReference(browser: Browser, service: Service, operatorToken: string): Promise<void> {
  const page = await (await openContext(browser)).newPage()
  const check = watchPage(page, service.origin)
  const open = async (anchor = '') => {
    await page.goto('about:blank')
    await page.goto(`${service.origin}/docs${anchor}`)
  }
  const openOperation = async (id: keyof typeof OPERATIONS) => {
    const [anchor, summary] = OPERATIONS[id]
    await open(`#registrar/${anchor}`)
    await page.getByRole('heading', { name: summary, exact: true }).waitFor()
  }

  await open()
  await seesGuide(page, service.origin)
  await seesNoClientLibraries(page, service.origin)
  await findsOperations(page)
  await seesWebhooksAfterEvents(page)
  for (const id of ['createPublicUser', 'createUser', 'updateProductAccess'] as const) await openOperation(id)
  await seesSamples(page)
  await open('#registrar/tag/webhooks/webhook/POST/user.created')
  await page.getByRole('heading', { name: 'user.created', exact: true }).waitFor()

  await openOperation('updateProductAccess')
  assert.equal(await sendFromPage(page, 'updateProductAccess', service.token), '201 Created')
  await assertAccessible(page, 'the test client', SCALAR_LACKS)
  await openOperation('listStores')
  assert.equal(await sendFromPage(page, 'listStores', operatorToken), '200 OK')
  await keepsNoToken(page, [service.token, operatorToken])

  for (const mode of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await open()
      await page.getByRole('heading', { name: 'Receive webhooks', level: 2 }).waitFor()
      await fitsAndIsAccessible(page, `the guide, ${mode}, ${width}`)
      await openOperation('updateProductAccess')
      await fitsAndIsAccessible(page, `an operation, ${mode}, ${width}`)
      await page.emulateMedia({ colorScheme: mode })
      for (const name of PAGE_NAMES) {
        await page.goto(`${service.origin}/docs/${name}`)
        await fitsAndIsAccessible(page, `/docs/${name}, ${mode}, ${width}`)
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await open()
    if (mode === 'light') await turnsDark(page)
  }
  check()
  await page.close()
}

async function seesGuide(page: Page, origin: string): Promise<void> {
  const guide = readFileSync('docs/guide.md', 'utf8')
  const headings = [...guide.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading)
  assert.ok(headings.length > 5)
  await page.getByRole('button', { name: 'Introduction' }).first().waitFor()
  for (const heading of [...headings, 'Error codes']) {
    await page.getByRole('heading', { name: heading, level: 2, exact: true }).waitFor()
    await page.locator('aside').getByText(heading, { exact: true }).first().waitFor({ state: 'attached' })
  }
  assert.match(
    (await page.locator('.markdown pre').first().textContent()) ?? '',
    new RegExp(`^export API=${origin} `, 'm'),
  )
}

async function seesNoClientLibraries(page: Page, origin: string): Promise<void> {
  await page.getByText('Language of the samples').first().waitFor()
  assert.equal(await page.getByText('Client Libraries').count(), 0)
  assert.equal(await page.locator(`a[href="${origin}/openapi.json"]`).count(), 2, 'above the guide and at its end')
}

async function findsOperations(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('verify_password')
  const option = page.getByRole('option', { name: /Check the password of a user/ }).first()
  await option.click()
  await page.getByRole('heading', { name: 'Check the password of a user', exact: true }).waitFor()
  await page.getByText('Also for operators', { exact: true }).first().waitFor()
  assert.equal(await page.getByText(/\(operator\)/).count(), 0, 'an operation of a store is shown twice')
}

async function seesWebhooksAfterEvents(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open Group - What happens' }).click()
  await page.locator('aside').getByText('Webhooks', { exact: true }).waitFor()
  const text = await page.locator('aside').first().innerText()
  const names = text.split('\n').filter((name) => name !== '' && !/ Group - /.test(name))
  const events = names.indexOf('Events')
  assert.deepEqual(names.slice(events - 1, events + 2), ['What happens', 'Events', 'Webhooks'])
}

async function seesSamples(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Shell Curl' }).first().click()
  const clients = await page.getByRole('option').allInnerTexts()
  assert.deepEqual(clients.toSorted(), ['Curl', 'Fetch', 'Requests', 'http.client', 'undici'])
  await page.keyboard.press('Escape')
}

/** The page shows all operations of a tag, so the button is looked up inside its operation. */
async function openClient(page: Page, id: keyof typeof OPERATIONS): Promise<void> {
  const operation = page.locator(`[id="registrar/${OPERATIONS[id][0]}"]`)
  await operation
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .click()
}

/** Sends the open operation with the token, and returns the status that the page shows. */
async function sendFromPage(page: Page, id: keyof typeof OPERATIONS, token: string): Promise<string> {
  await openClient(page, id)
  const client = page.getByRole('dialog').last()
  await client.getByLabel('Bearer Token').fill(token)
  await client.getByRole('button', { name: /^Send/ }).first().click()
  const status = client.getByText(/^\d{3} \w+/).first()
  await status.waitFor()
  return ((await status.textContent()) ?? '').trim()
}

async function keepsNoToken(page: Page, tokens: string[]): Promise<void> {
  const kept = await page.evaluate(
    `indexedDB.databases().then((databases) =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), databases, document.cookie]))`,
  )
  assert.ok(typeof kept === 'string')
  for (const token of tokens) assert.ok(!kept.includes(token), 'the token is not stored')
  assert.ok(kept.endsWith('[],""]'), 'no database and no cookie')
  await page.reload()
  await openClient(page, 'listStores')
  assert.equal(await page.getByRole('dialog').last().getByLabel('Bearer Token').inputValue(), '')
}

async function turnsDark(page: Page): Promise<void> {
  const isDark = () => page.evaluate("document.body.classList.contains('dark-mode')")
  assert.equal(await isDark(), false)
  await page.locator('.darklight-reference button').click()
  assert.equal(await isDark(), true)
}

async function fitsAndIsAccessible(page: Page, screen: string): Promise<void> {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(beyond, 0, `${screen} scrolls sideways`)
  await assertAccessible(page, screen, SCALAR_LACKS)
}
