/** Spanish and Portuguese have longer words than English, in which the tests of each screen inspect it. */
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertColumnsAreFixed, assertPageIsAccessible, countStats, createFixture, openConsole } from './service.ts'

/** Fills a store with a record of each kind, and returns the paths of all screens. */
async function fillStore(): Promise<{ token: string; paths: string[] }> {
  const { token, store, api } = await createFixture()
  const user = await api('POST', '/users', {
    name: 'María Fernanda',
    last_name: 'Albuquerque de Vasconcelos',
    email: 'maria.fernanda.albuquerque@universidade-aberta.example.com',
  })
  const product = await api('POST', '/products', {
    name: 'Introducción a la administración de empresas',
    slug: 'introduccion-a-la-administracion',
    type: 'course',
  })
  const access_due_date = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await api('POST', '/product_accesses', { user_id: user.id, product_id: product.id, access_due_date })
  await api('PUT', '/custom_fields/departamento', { label: 'Departamento' })
  const change = await api('POST', '/bulk_changes', { filter: {}, change: { extend_days: 30 } })
  // Nothing causes this type of event, so nothing is sent.
  const endpoint = await api('POST', '/webhook_endpoints', {
    url: 'https://example.com/administracion-de-webhooks',
    types: ['store.restored'],
  })
  await countStats()
  const ofStore = [
    '',
    '/users',
    `/users/${user.id}`,
    '/accesses',
    '/bulk-changes',
    `/bulk-changes/${change.id}`,
    '/import',
    '/export',
    '/products',
    '/custom-fields',
    '/tokens',
    '/webhooks',
    `/webhooks/${endpoint.id}`,
    '/events',
    '/settings',
    '/unknown',
  ]
  return { token, paths: ['/stores', '/operators', '/status', ...ofStore.map((path) => `/s/${store}${path}`)] }
}

/** Opens another screen, and waits until all its data is shown. Until its code is loaded, the last one is still there. */
async function show(page: Page, path: string): Promise<void> {
  const last = await page.getByRole('heading', { level: 1 }).elementHandle()
  await page.goto(page.url().replace(/#.*/, `#${path}`))
  await page.waitForFunction((element) => !element?.isConnected, last)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('[role=status][aria-label], table[data-stale]') === null)
}

for (const language of ['es-ES', 'pt-BR']) {
  describe(`every screen in ${language}`, () => {
    it('is accessible and does not scroll sideways, on a wide and on a narrow display', async () => {
      const { token, paths } = await fillStore()
      const { page, done } = await openConsole(token, '/settings', { language })
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        for (const path of paths) {
          await show(page, path)
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
