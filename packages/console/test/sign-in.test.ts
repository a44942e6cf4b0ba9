import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { assertPageIsAccessible, call, createFixture, openConsole, origin, rootToken } from './service.ts'

describe('the sign-in with a token', () => {
  it('says in Spanish, next to the input, that the token is missing, and sends nothing', async () => {
    const { page, done } = await openConsole(undefined, '/', { language: 'es-ES' })
    const token = page.getByLabel('Token de operador', { exact: true }).and(page.locator(':focus'))
    await token.waitFor()
    await page.getByText(/^¿No tiene ningún token\? Hay que pedirlo a quien lleva Registrar/).waitFor()
    let requests = 0
    page.on('request', () => requests++)
    for (const text of ['', '   ']) {
      await token.fill(text)
      await page.getByRole('button', { name: 'Iniciar sesión' }).click()
      await page.getByText('Este campo es obligatorio.').waitFor()
      await token.and(page.locator(':focus')).waitFor()
    }
    await page.getByRole('button', { name: 'Mostrar el token' }).waitFor()
    await assertPageIsAccessible(page)
    assert.equal(requests, 0)
    await token.fill('x')
    await page.getByText('Este campo es obligatorio.').waitFor({ state: 'detached' })
    await done()
  })

  it('says which character no token has, next to the input, and sends nothing', async () => {
    const { page, done } = await openConsole(undefined, '/')
    const token = page.getByLabel('Operator token', { exact: true })
    await token.waitFor()
    let requests = 0
    page.on('request', () => requests++)
    await token.fill('“rgo_secret”')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByText('No token has the character U+201C, which is character 1 here. Copy the token again.')
      .waitFor()
    await token.and(page.locator(':focus')).waitFor()
    assert.equal(requests, 0)
    await done()
  })

  it('is taken over by a new tab, and ends in every tab at once', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(undefined, `/s/${store}`)
    await page.getByLabel('Operator token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    const second = await page.context().newPage()
    await second.goto(`${origin}/console#/s/${store}/products`)
    await second.getByRole('heading', { name: 'Products' }).waitFor()
    await second.getByRole('button', { name: 'Account, language and appearance' }).click()
    await second.getByRole('menuitem', { name: 'Sign out' }).click()
    await second.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await done()
  })

  it('is forgotten when the last tab is closed', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(undefined, `/s/${store}`)
    await page.getByLabel('Operator token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const other = await page.context().newPage()
    await page.close()
    await other.goto(`${origin}/console#/s/${store}`)
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await other.evaluate(() => JSON.stringify([localStorage, sessionStorage]).includes('rgo_')), false)
    await done()
  })

  it('comes from the link of `npm run dev`, whose token does not stay in the address', async () => {
    const { page, done } = await openConsole(undefined, `token=${encodeURIComponent(rootToken())}`)
    await page.getByRole('button', { name: 'Account, language and appearance' }).waitFor()
    assert.equal(page.url().includes(rootToken()), false)
    await page.goBack()
    assert.equal(page.url().includes(rootToken()), false)
    await done()
  })
})

it('needs no token behind Cloudflare Access, in every tab, and signs out of Access too', async () => {
  const { token, store } = await createFixture()
  const { page, done } = await openConsole(undefined, '/', { expected: ['ERR_', '404'] })
  // Access adds its assertion to each request on the way. Here the route adds the token of the same operator.
  const signOn = (route: Route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } })
  await page.route('**/admin/**', signOn)
  await page.context().route('**/admin/**', signOn)
  await page.goto(`${origin}/console#/s/${store}/products`)
  await page.reload()
  await page.getByRole('heading', { name: 'Products' }).waitFor()
  const second = await page.context().newPage()
  await second.goto(`${origin}/console#/s/${store}/tokens`)
  await second.getByRole('heading', { name: 'Access tokens' }).waitFor()
  assert.equal(await second.evaluate(() => JSON.stringify([localStorage, sessionStorage]).includes('rgo_')), false)
  await second.getByRole('button', { name: 'Account, language and appearance' }).click()
  await second.getByRole('menuitem', { name: 'Sign out' }).click()
  await second.waitForURL('**/cdn-cgi/access/logout')
  await done()
})

it('shows an outage while the console opens behind Cloudflare Access, and opens when the service is back', async () => {
  const { token, store } = await createFixture()
  const { page, done } = await openConsole(undefined, `/s/${store}/products`, { expected: ['503', '500'] })
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.clock.install()
  // Without this header the console would first try again for seven seconds.
  const headers = { 'Retry-After': '60' }
  await page.route('**/admin/**', (route) => route.fulfill({ status: 503, headers, body: 'no healthy upstream' }))
  await page.reload()
  await page.getByText('The service does not respond at the moment').waitFor()
  await assertPageIsAccessible(page)
  assert.equal(await page.getByLabel('Operator token', { exact: true }).count(), 0)
  await page.unrouteAll()
  await page.route('**/admin/**', (route) =>
    route.fulfill({
      status: 500,
      headers,
      json: { type: 'internal_error', code: 'internal_error', message: 'The service failed.' },
    }),
  )
  await page.clock.runFor(5_000)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 1)
  await page.unrouteAll()
  await page.route('**/admin/**', (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('There are no products yet.', { exact: false }).waitFor()
  await done()
})

it('says that the session of Cloudflare Access has ended, keeps what was typed, and offers to sign in again', async () => {
  const { token, store } = await createFixture()
  const { page, done } = await openConsole(undefined, '/')
  let isSignedOn = true
  await page.route('**/admin/**', (route) =>
    isSignedOn
      ? route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } })
      : route.fulfill({ status: 302, headers: { location: 'https://team.cloudflareaccess.com/cdn-cgi/access/login' } }),
  )
  await page.goto(`${origin}/console#/s/${store}/users`)
  await page.reload()
  await page.getByRole('button', { name: 'Create the first user' }).click()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill('ada@example.com')
  isSignedOn = false
  await page.getByRole('dialog').getByRole('button', { name: 'Create a user' }).click()
  await page.getByText('Your sign-in has ended. Nothing was saved: sign in again.').waitFor()
  assert.equal(await page.getByLabel('First name').inputValue(), 'Ada')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByText('Your sign-in has ended', { exact: true }).waitFor()
  assert.equal(await page.getByText('The service does not respond').count(), 0)
  await assertPageIsAccessible(page)
  isSignedOn = true
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await page.getByText('There are no products yet.', { exact: false }).waitFor()
  await done()
})

describe('an operator who is limited to stores', () => {
  it('sees these stores only, and nothing of the service', async () => {
    const { store } = await createFixture()
    const { token } = await call('POST', '/admin/operators', { name: 'Lin', role: 'admin', stores: [store] })
    const { page, done } = await openConsole(token, '/stores')
    await page.getByRole('table', { name: 'Stores' }).waitFor()
    assert.equal(await page.getByRole('table', { name: 'Stores' }).getByRole('link').count(), 1)
    assert.equal(await page.getByRole('button', { name: 'Create a store' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Operators', exact: true }).count(), 0)
    await page.getByRole('table', { name: 'Stores' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('button', { name: 'Suspend the store' }).waitFor()
    await done()
  })
})
