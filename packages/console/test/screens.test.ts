/**
 * Inspects every screen once. It is in Spanish, whose words are longer than those of English, in which the tests of each
 * screen use it. At night, EVERY_VARIANT adds the other languages and combinations.
 */
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startReceiver } from './receiver.ts'
import {
  assertColumnsAreFixed,
  assertPageIsAccessible,
  countStats,
  createFixture,
  openConsole,
  rootToken,
} from './service.ts'

const IS_NIGHT = process.env['EVERY_VARIANT'] !== undefined
const LANGUAGES = IS_NIGHT ? ['es-ES', 'pt-BR', 'en'] : ['es-ES']
/** Each width and each color scheme once. */
const VARIANTS = [
  { width: 1440, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  ...(IS_NIGHT
    ? ([1440, 390] as const).map((width) => ({ width, scheme: width > 390 ? 'dark' : 'light' }) as const)
    : []),
] as const

interface Screen {
  path: string
  /** Brings the screen into the state that is inspected. */
  prepare: ((page: Page) => Promise<unknown>) | undefined
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Fills a store with records in every state, and returns its screens. */
async function fillStore(): Promise<Screen[]> {
  const { store, api } = await createFixture()
  const user = await api('POST', '/users', {
    name: 'María Fernanda',
    last_name: 'Albuquerque-de-Vasconcelos-'.repeat(7),
    email: `${'muy-larga-'.repeat(6)}@${'part.'.repeat(20)}example.com`,
  })
  const due = { administración: inDays(3), contabilidad: inDays(-40), derecho: null }
  for (const [i, [subject, access_due_date]] of Object.entries(due).entries()) {
    const name = `Introducción a la ${subject} de empresas`
    const product = await api('POST', '/products', { name, slug: `introduccion-a-la-materia-${i}`, type: 'course' })
    const status = access_due_date === null ? 'without_access' : 'with_access'
    await api('POST', '/product_accesses', { user_id: user.id, product_id: product.id, access_due_date, status })
  }
  await api('PUT', '/custom_fields/a_rather_long_key_of_a_custom_field_that_somebody_has_chosen', { label: 'Team' })
  await api('PATCH', '', { name: 'Universidad Nacional Autónoma', expiry_notice_days: 3 })
  const change = await api('POST', '/bulk_changes', { filter: {}, change: { extend_days: 30 } })
  const gone = await api('POST', '/tokens', { name: 'Gone' })
  await api('DELETE', `/tokens/${gone.id}`)
  await api('POST', '/tokens', { name: 'Sync', expires_at: '2099-01-01T00:00:00Z' })
  const endpoint = await createDisabledEndpoint(api)
  await countStats({ api })
  const file = { name: 'people.csv', mimeType: '', buffer: Buffer.from(PEOPLE) }
  const at = (path: string, prepare?: Screen['prepare']): Screen => ({ path: `/s/${store}${path}`, prepare })
  return [
    ...['/stores', '/operators', '/status'].map((path) => ({ path, prepare: undefined })),
    at(''),
    at('/users', openGrant),
    at(`/users/${user.id}`),
    at('/accesses', (page) => page.locator('tbody input[type=checkbox]').first().check()),
    at('/bulk-changes'),
    at(`/bulk-changes/${change.id}`),
    at('/import'),
    at('/import', (page) => chooseFile(page, file)),
    ...['/export', '/products', '/custom-fields', '/tokens', '/webhooks', `/webhooks/${endpoint}`].map((path) =>
      at(path),
    ),
    ...['/events', '/settings', '/unknown'].map((path) => at(path)),
  ]
}

const PEOPLE = `Nombre,Apellidos,Correo electrónico,Team,curso,Notas
Hedy,Lamarr,hedy@example.com,WKCR,introduccion-a-la-materia-0,x
Mary,Somerville,mary@example.com,,unknown,z
`

/** An endpoint that says that it is gone, which disables it. */
async function createDisabledEndpoint(api: (method: string, path: string, body?: unknown) => Promise<any>) {
  const receiver = await startReceiver()
  after(receiver.close)
  receiver.status = 410
  const { id } = await api('POST', '/webhook_endpoints', { url: receiver.url, types: ['product.created'] })
  await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  return id
}

/** Selects somebody, and opens the dialog that grants access. */
async function openGrant(page: Page): Promise<void> {
  await page.locator('tbody input[type=checkbox]').first().check()
  await page.locator('main section[tabindex="-1"] button').last().click()
  await page.getByRole('option').first().click()
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
  await page.getByRole('dialog').getByRole('radio').last().check()
}

async function chooseFile(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('main').locator('table').first().waitFor()
}

/** Opens another screen, and waits until all its data is shown. Until its code is loaded, the last one is still there. */
async function show(page: Page, { path, prepare }: Screen): Promise<void> {
  const last = await page.getByRole('heading', { level: 1 }).elementHandle()
  const isSame = page.url().endsWith(`#${path}`)
  await page.goto(page.url().replace(/#.*/, `#${path}`))
  if (!isSame) await page.waitForFunction((element) => !element?.isConnected, last)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('[role=status][aria-label], table[data-stale]') === null)
  await prepare?.(page)
}

for (const language of LANGUAGES) {
  describe(`every screen in ${language}`, () => {
    it('is accessible and does not scroll sideways, on wide and narrow displays, light and dark', async () => {
      const screens = await fillStore()
      const { page, done } = await openConsole(rootToken(), '/settings', { language })
      for (const screen of screens) {
        await show(page, screen)
        for (const { width, scheme } of VARIANTS) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme: scheme })
          await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
          // During a transition of colors, axe-core would measure a contrast that is only temporary.
          await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
          await assertPageIsAccessible(page)
          if (width > 390) await assertColumnsAreFixed(page)
        }
      }
      await done()
    })
  })

  describe(`the sign-in in ${language}`, () => {
    it('is accessible and does not scroll sideways on a narrow display', async () => {
      const { page, done } = await openConsole(undefined, '/stores', { language, width: 390 })
      await page.locator('input[type=password]').waitFor()
      await assertPageIsAccessible(page)
      await done()
    })
  })
}
