import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertPageIsAccessible, createFixture, openConsole } from './service.ts'

/** Holds back the responses to these requests. Returns a function that lets them through. */
async function holdBack(page: Page, url: string): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, (route) => isReleased.then(() => route.continue()))
  return release
}

const loader = (page: Page) => page.getByRole('status', { name: 'Loading' })

describe('a slow network', () => {
  it('shows that a screen is loading, its code first and its data after that', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByText('There are no access tokens yet.').waitFor()
    const releaseCode = await holdBack(page, '**/assets/products-*.js')
    const releaseData = await holdBack(page, '**/products?*')
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await loader(page).waitFor()
    releaseCode()
    await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
    await loader(page).waitFor()
    releaseData()
    await page.getByText('There are no products yet.', { exact: false }).waitFor()
    await loader(page).waitFor({ state: 'hidden' })
    await done()
  })

  it('shows that a dialog is loading', async () => {
    const { token, store, api } = await createFixture()
    const user = await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
    const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    await api('POST', '/product_accesses', { user_id: user.id, product_id: product.id })
    const { page, done } = await openConsole(token, `/s/${store}/accesses`)
    const all = page.getByRole('button', { name: 'Change all matches…' })
    await all.waitFor()
    const releaseBulk = await holdBack(page, '**/assets/bulk-dialog-*.js')
    await all.click()
    await loader(page).waitFor()
    await assertPageIsAccessible(page)
    releaseBulk()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const users = page.getByRole('table', { name: 'Users' })
    await users.getByRole('checkbox', { name: 'Select Ada Lovelace' }).check()
    const releaseGrant = await holdBack(page, '**/assets/grant-to-many-*.js')
    await page.getByRole('button', { name: 'Grant access' }).click()
    await loader(page).waitFor()
    releaseGrant()
    await page.getByRole('dialog').waitFor()
    await done()
  })

  it('shows that the texts of another language than English are loading', async () => {
    const { page, done } = await openConsole(undefined, '/')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.evaluate(() => localStorage.setItem('registrar.language', 'es'))
    const release = await holdBack(page, '**/assets/es-*.js')
    await page.reload()
    await loader(page).waitFor()
    release()
    await page.getByRole('button', { name: 'Iniciar sesión' }).waitFor()
    await done()
  })
})
