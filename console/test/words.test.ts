import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { inspectPage, newPlace, openConsole } from './service.ts'

/** What a test looks for, as people of the language read it. */
const SPOKEN = [
  {
    language: 'es',
    tag: 'es-ES',
    ownName: 'Español',
    token: 'Token de operador',
    signIn: 'Iniciar sesión',
    overview: 'Resumen',
    chart: 'Usuarios creados: 1 en 30 días',
    users: 'Usuarios',
    time: /^\d{1,2} [a-z]{3,4} \d{4}, \d{1,2}:\d\d$/,
    change: 'Vencimiento: Algebra',
    dueDate: 'Fecha de vencimiento',
    march: /^marzo 2031$/i,
    firstDay: 'lu',
  },
  {
    language: 'pt',
    tag: 'pt-BR',
    ownName: 'Português',
    token: 'Token de operador',
    signIn: 'Entrar',
    overview: 'Visão geral',
    chart: 'Usuários criados: 1 em 30 dias',
    users: 'Usuários',
    time: /^\d{1,2} de [a-z]{3}\. de \d{4}, \d\d:\d\d$/,
    change: 'Expiração: Algebra',
    dueDate: 'Data de expiração',
    march: /^março 2031$/i,
    firstDay: 'do',
  },
]

for (const spoken of SPOKEN) {
  describe(`the console in ${spoken.ownName}`, () => {
    it('is spoken where the browser asks for it', async () => {
      const { token, store, api } = await newPlace()
      await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
      const { page, done } = await openConsole(undefined, `/s/${store}`, { language: spoken.tag })
      await page.getByLabel(spoken.token, { exact: true }).fill(token)
      assert.equal(await page.locator('html').getAttribute('lang'), spoken.language)
      await page.getByRole('button', { name: spoken.signIn, exact: true }).click()
      await page.getByRole('heading', { name: spoken.overview, exact: true }).waitFor()
      await page.getByRole('img', { name: spoken.chart }).waitFor()
      await inspectPage(page)
      await page.getByRole('link', { name: spoken.users, exact: true }).click()
      assert.match(await page.locator('time').first().innerText(), spoken.time)
      await done()
    })

    it('is chosen in the menu, and kept', async () => {
      const { token, store } = await newPlace()
      const { page, done } = await openConsole(token, `/s/${store}`)
      await page.getByRole('button', { name: 'Account, language and appearance' }).click()
      await page.getByRole('menuitem', { name: spoken.ownName, exact: true }).click()
      await speaks(page, spoken)
      await page.reload()
      await speaks(page, spoken)
      await done()
    })

    it('names months and begins weeks as the language does', async () => {
      const { token, store, api } = await newPlace()
      const { id } = await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
      const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
      await api('POST', '/product_accesses', {
        user_id: id,
        product_id: product.id,
        access_due_date: '2031-03-20T12:00:00Z',
      })
      const { page, done } = await openConsole(token, `/s/${store}/users/${id}`, { language: spoken.tag })
      await page.getByRole('button', { name: spoken.change, exact: true }).click()
      await page.getByRole('dialog').getByLabel(spoken.dueDate, { exact: true }).click()
      await page.getByRole('button', { name: spoken.march }).waitFor()
      assert.equal(
        (await page.getByRole('dialog').last().locator('thead th').first().innerText()).toLowerCase(),
        spoken.firstDay,
      )
      await done()
    })
  })
}

async function speaks(page: Page, { language, overview }: (typeof SPOKEN)[number]): Promise<void> {
  await page.getByRole('heading', { name: overview, exact: true }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), language)
}
