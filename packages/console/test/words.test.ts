import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertPageIsAccessible, countStats, createFixture, openConsole } from './service.ts'

/** What the tests look for in each language. */
const LANGUAGES = [
  {
    code: 'es',
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
    createProduct: 'Crear un producto',
    required: 'Este campo es obligatorio.',
    slugTaken: 'Ya hay un producto con este slug.',
  },
  {
    code: 'pt-BR',
    tag: 'pt-BR',
    ownName: 'Português (Brasil)',
    token: 'Token de operador',
    signIn: 'Entrar',
    overview: 'Visão geral',
    chart: 'Usuários criados: 1 em 30 dias',
    users: 'Usuários',
    time: /^\d{1,2} de [a-z]{3}\. de \d{4}, \d\d:\d\d$/,
    change: 'Data de expiração: Algebra',
    dueDate: 'Data de expiração',
    march: /^março 2031$/i,
    firstDay: 'do',
    createProduct: 'Criar um produto',
    required: 'Preencha este campo.',
    slugTaken: 'Já existe um produto com este slug.',
  },
  {
    code: 'pt-PT',
    tag: 'pt-PT',
    ownName: 'Português (Portugal)',
    token: 'Token de operador',
    signIn: 'Iniciar sessão',
    overview: 'Visão geral',
    chart: 'Utilizadores criados: 1 em 30 dias',
    users: 'Utilizadores',
    time: /^\d\d\/\d\d\/\d{4}, \d\d:\d\d$/,
    change: 'Data de fim: Algebra',
    dueDate: 'Data de fim',
    march: /^março 2031$/i,
    firstDay: '2ª',
    createProduct: 'Criar um produto',
    required: 'Este campo é obrigatório.',
    slugTaken: 'Já existe um produto com este slug.',
  },
]

for (const language of LANGUAGES) {
  describe(`the console in ${language.ownName}`, () => {
    it('uses the language of the browser', async () => {
      const { token, store, api } = await createFixture()
      await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
      await countStats({ api })
      const { page, done } = await openConsole(undefined, `/s/${store}`, { language: language.tag })
      await page.getByLabel(language.token, { exact: true }).fill(token)
      assert.equal(await page.locator('html').getAttribute('lang'), language.code)
      await page.getByRole('button', { name: language.signIn, exact: true }).click()
      await page.getByRole('heading', { name: language.overview, exact: true }).waitFor()
      await page.getByRole('img', { name: language.chart }).waitFor()
      await assertPageIsAccessible(page)
      await page.getByRole('link', { name: language.users, exact: true }).click()
      assert.match(await page.locator('time').first().innerText(), language.time)
      await done()
    })

    it('keeps the language that is chosen in the menu', async () => {
      const { token, store } = await createFixture()
      const { page, done } = await openConsole(token, `/s/${store}`)
      await page.getByRole('button', { name: 'Account, language and appearance' }).click()
      await page.getByRole('menuitem', { name: language.ownName, exact: true }).click()
      await assertLanguage(page, language)
      await page.reload()
      await assertLanguage(page, language)
      await done()
    })

    it('says in the same language why a form is rejected, before and after it is sent', async () => {
      const { token, store, api } = await createFixture()
      await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
      const { page, done } = await openConsole(token, `/s/${store}/products`, {
        language: language.tag,
        expected: ['422'],
      })
      await page.getByRole('button', { name: language.createProduct }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('textbox').nth(1).fill('Algebra')
      await form.getByRole('textbox').nth(1).press('Enter')
      await form.getByText(language.required).first().waitFor()
      for (const [i, text] of ['Algebra', 'algebra', 'course'].entries())
        await form.getByRole('textbox').nth(i).fill(text)
      await form.getByRole('textbox').nth(1).press('Enter')
      await form.getByText(language.slugTaken).waitFor()
      assert.equal(await form.getByRole('alert').count(), 0)
      await done()
    })

    it('names the months and begins the week as the language does', async () => {
      const { token, store, api } = await createFixture()
      const { id } = await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
      const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
      await api('POST', '/product_accesses', {
        user_id: id,
        product_id: product.id,
        access_due_date: '2031-03-20T12:00:00Z',
      })
      const { page, done } = await openConsole(token, `/s/${store}/users/${id}`, { language: language.tag })
      await page.getByRole('button', { name: language.change, exact: true }).click()
      await page.getByRole('dialog').getByLabel(language.dueDate, { exact: true }).click()
      await page.getByRole('button', { name: language.march }).waitFor()
      assert.equal(
        (await page.locator('[data-dates-dropdown] thead th').first().innerText()).toLowerCase(),
        language.firstDay,
      )
      await done()
    })
  })
}

async function assertLanguage(page: Page, { code, overview }: (typeof LANGUAGES)[number]): Promise<void> {
  await page.getByRole('heading', { name: overview, exact: true }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), code)
}
