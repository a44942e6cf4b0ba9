import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertPageIsAccessible, call, createFixture, openConsole } from './service.ts'

const isWhole = (element: HTMLElement | SVGElement) =>
  element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight

describe('the sign-in', () => {
  it('rejects an unknown token, accepts an operator’s, and does not keep it after the tab is closed', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(undefined, `/s/${store}`)
    await page.getByLabel('Operator token', { exact: true }).fill('rgo_nothing')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The service rejects this token. Check that you have copied all of it.').waitFor()
    await assertPageIsAccessible(page)
    await page.getByLabel('Operator token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('rgo_')), false)
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

describe('the frame', () => {
  it('says that an address does not exist', async () => {
    const { token } = await createFixture()
    const { page, done } = await openConsole(token, '/nowhere')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await assertPageIsAccessible(page)
    await page.getByRole('link', { name: 'Go to the start' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await done()
  })

  it('shows one message during an outage, which disappears when the service is back', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`, { expected: ['ERR_'] })
    await page.getByText('There are no access tokens yet.').waitFor()
    await page.route('**/admin/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page.getByText('The service does not respond at the moment').waitFor()
    assert.equal(await page.getByRole('alert').count(), 1)
    await assertPageIsAccessible(page)
    await page.unrouteAll()
    await page.getByRole('cell', { name: 'Algebra', exact: true }).waitFor()
    await page.getByText('The service does not respond at the moment').waitFor({ state: 'hidden' })
    await done()
  })

  it('shows a long name of a store whole', async () => {
    const { token, store } = await createFixture()
    const name = `Universidad Nacional Autónoma de Estudios a Distancia ${store}`
    await call('PATCH', `/admin/stores/${store}`, { name })
    const { page, done } = await openConsole(token, `/s/${store}/settings`)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const picker = page.getByRole('combobox', { name: 'Store', exact: true })
      await picker.getByText(name, { exact: true }).waitFor()
      assert.ok(await picker.evaluate(isWhole), `the picker cuts the name off at ${width} pixels`)
      const header = await page.getByRole('banner').boundingBox()
      const title = await page.getByRole('heading', { name: 'Settings', level: 1 }).boundingBox()
      assert.ok(header && title && header.y + header.height <= title.y, 'the header covers the page')
      await picker.click()
      const option = page.getByRole('option', { name })
      await option.waitFor()
      assert.ok(await option.evaluate(isWhole), `the menu cuts the name off at ${width} pixels`)
      await assertPageIsAccessible(page)
      await page.keyboard.press('Escape')
    }
    await done()
  })

  it('finds a store by a part of its name, with the keyboard alone', async () => {
    const { token, store } = await createFixture()
    // With fewer stores there is no input to search with.
    const others = await Promise.all(Array.from({ length: 8 }, () => createFixture()))
    const name = store.replace('shop-', 'Academy ')
    const { page, done } = await openConsole(token, `/s/${others[0]?.store}/products`)
    const picker = page.getByRole('combobox', { name: 'Store', exact: true })
    await picker.getByText('Academy').waitFor()
    await picker.press('Enter')
    await page.getByRole('textbox', { name: 'Find a store' }).waitFor()
    await page.keyboard.type(name.slice(4))
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console#/s/${store}`)
    await picker.getByText(name, { exact: true }).waitFor()
    await done()
  })

  it('keeps the buttons of a long dialog in view', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('button', { name: 'Create a user' }).click()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 500 })
      const button = page.getByRole('dialog').getByRole('button', { name: 'Create a user' })
      await button.waitFor()
      const box = await button.boundingBox()
      assert.ok(box !== null && box.y + box.height <= 500, `the button is at ${box?.y}`)
    }
    await assertPageIsAccessible(page)
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
