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
})
