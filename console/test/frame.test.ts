import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { inspectPage, inspectScreen, newPlace, openConsole } from './service.ts'

describe('signing in', () => {
  it('takes an operator’s token, and forgets it with the tab', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(undefined, `/s/${store}`)
    await page.getByLabel('Operator token', { exact: true }).fill(token)
    await inspectPage(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('rgo_')), false)
    await done()
  })

  it('says so when the token is refused', async () => {
    const { page, done } = await openConsole(undefined, '/', { expected: ['401'] })
    await page.getByLabel('Operator token', { exact: true }).fill('rgo_nothing')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The service does not take this token.').waitFor()
    await done()
  })

  it('is asked for again once the token is revoked', async () => {
    const { page, done } = await openConsole('rgo_revoked', '/', { expected: ['401'] })
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByText('The service no longer takes the token. Sign in again.').waitFor()
    await inspectPage(page)
    await done()
  })
})

describe('a busy service', () => {
  it('is said at once where it asks for a long pause', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}`, { expected: ['429'] })
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.route(/\/admin\/.*\/users$/, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '60' },
        json: { type: 'rate_limit', code: 'rate_limited', message: 'Too many requests.' },
      }),
    )
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText('It may be tried again in 60 seconds.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Too many requests.').waitFor({ state: 'hidden' })
    await done()
  })
})

describe('the keyboard', () => {
  it('skips the menu, and stays on the screen', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    const address = page.url()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.closest('main') !== null), true)
    assert.equal(page.url(), address)
    await done()
  })
})

describe('the overview', () => {
  it('shows the status, and what happened each day', async () => {
    const { token, store, api } = await newPlace()
    await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
    const { page, done } = await openConsole(token, `/s/${store}`)
    await page.getByRole('img', { name: 'Users created: 1 in 30 days' }).waitFor()
    await page.getByText('7 days').click()
    await page.getByRole('img', { name: 'Users created: 1 in 7 days' }).waitFor()
    await page.getByRole('heading', { name: 'Database' }).waitFor()
    await done()
  })

  it('can be read by everybody, in both appearances and widths', async () => {
    const { token, store } = await newPlace('viewer')
    await inspectScreen(token, `/s/${store}`, (page) => page.getByRole('img', { name: /Users created/ }).waitFor())
  })
})

it('the first screen loads at most 300 KB, compressed', async () => {
  const { token, store } = await newPlace('viewer')
  const { page, done } = await openConsole(token, `/s/${store}`)
  await page.getByRole('img', { name: /Users created/ }).waitFor()
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => response.url().includes('/console') && bodies.push(response.body()))
  // Nothing that is kept from before.
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.reload()
  await page.getByRole('img', { name: /Users created/ }).waitFor()
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0)
  assert.ok(bytes > 100_000 && bytes <= 300_000, `${bytes} bytes`)
  await done()
})
