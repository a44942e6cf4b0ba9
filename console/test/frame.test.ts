import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertPageIsAccessible, createFixture, openConsole } from './service.ts'

describe('the sign-in', () => {
  it('accepts an operator’s token and does not keep it after the tab is closed', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(undefined, `/s/${store}`)
    await page.getByLabel('Operator token', { exact: true }).fill(token)
    await assertPageIsAccessible(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('rgo_')), false)
    await done()
  })

  it('says that a token is rejected', async () => {
    const { page, done } = await openConsole(undefined, '/', { expected: ['401'] })
    await page.getByLabel('Operator token', { exact: true }).fill('rgo_nothing')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The service rejects this token. Check that you have copied all of it.').waitFor()
    await done()
  })

  it('asks the operator to sign in again if the token was revoked', async () => {
    const { page, done } = await openConsole('rgo_revoked', '/', { expected: ['401'] })
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByText('You are no longer signed in. Sign in again.').waitFor()
    await assertPageIsAccessible(page)
    await done()
  })
})

describe('a busy service', () => {
  it('shows at once that the service asks for a long wait', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}`, { expected: ['429'] })
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.route(/\/admin\/.*\/users\?/, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '60' },
        json: { type: 'rate_limited', code: 'rate_limited', message: 'Too many requests; wait as Retry-After says.' },
      }),
    )
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText('There are too many requests at the moment.').waitFor()
    await page.getByText('Try again in 60 seconds.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('There are too many requests at the moment.').waitFor({ state: 'hidden' })
    await done()
  })
})

describe('the keyboard', () => {
  it('skips the menu with a link that stays on the same screen', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    const address = page.url()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.closest('main') !== null), true)
    assert.equal(page.url(), address)
    await done()
  })
})

it('loads at most 300 KB, compressed, for the first screen', async () => {
  const { token, store } = await createFixture('viewer')
  const { page, done } = await openConsole(token, `/s/${store}`)
  await page.getByRole('img', { name: /Users created/ }).waitFor()
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => response.url().includes('/console') && bodies.push(response.body()))
  // A cached file has no body here and would not be counted.
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.reload()
  await page.getByRole('img', { name: /Users created/ }).waitFor()
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0)
  assert.ok(bytes > 100_000 && bytes <= 300_000, `${bytes} bytes`)
  await done()
})
