import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { newPlace, openConsole } from './service.ts'

/** By the links of the menu, and back to the first. */
const SCREENS = ['Users', 'Accesses', 'Products', 'Tokens', 'Webhooks', 'Events', 'Overview']
const MINUTES = 20
/** A minute on the screens before it counts: what is fetched and compiled once. */
const WARM_UP_MINUTES = 4
const MAX_GROWTH = 1.25

it('a session of twenty minutes leaves no growing heap', async () => {
  const { token, store, api } = await newPlace()
  for (const i of [1, 2, 3]) {
    await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: `ada${i}@example.com` })
  }
  const { page, done } = await openConsole(token, `/s/${store}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  // The minutes pass on the page's clock: every timer that asks again fires as it would.
  await page.clock.install()
  let before = 0
  for (let minute = 0; minute < MINUTES; minute++) {
    if (minute === WARM_UP_MINUTES) before = await heapOf(page)
    const screen = SCREENS[minute % SCREENS.length] ?? 'Overview'
    await page.getByRole('link', { name: screen, exact: true }).click()
    await page.getByRole('heading', { name: screen, level: 1 }).waitFor()
    await page.clock.runFor('01:00')
  }
  const after = await heapOf(page)
  assert.ok(after < before * MAX_GROWTH, `the heap grew from ${before} to ${after} bytes`)
  await done()
})

/** Bytes in use once what can be collected is. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
