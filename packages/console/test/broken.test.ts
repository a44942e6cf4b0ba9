import { describe, it } from 'node:test'
import { assertPageIsAccessible, createFixture, openConsole } from './service.ts'

describe('a screen that fails', () => {
  it('offers to load the console again if the code of a dialog does not arrive, and keeps the navigation', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
    const { page, done } = await openConsole(token, `/s/${store}/users`, {
      language: 'es-ES',
      expected: ['404', 'dynamically imported module'],
    })
    await page.getByRole('table', { name: 'Usuarios' }).getByRole('checkbox').last().check()
    await page.route('**/assets/grant-to-many-*.js', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('button', { name: 'Conceder acceso' }).click()
    await page.getByRole('heading', { name: 'No se ha podido mostrar esta pantalla' }).waitFor()
    await assertPageIsAccessible(page)
    await page.getByRole('link', { name: 'Resumen', exact: true }).click()
    await page.getByRole('heading', { name: 'Resumen', level: 1 }).waitFor()
    await done()
  })

  it('offers the same if the code of a screen does not arrive, also not after a reload', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}`, { expected: ['404', 'dynamically imported module'] })
    await page.route('**/assets/settings-*.js', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await done()
  })
})
