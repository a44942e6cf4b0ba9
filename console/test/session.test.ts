import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { createFixture, openConsole } from './service.ts'

/** The test opens these screens by their links in the menu, one after the other. */
const SCREENS = ['Users', 'Product accesses', 'Products', 'Access tokens', 'Webhooks', 'Events', 'Overview']
const MINUTES = 20
/** The first minutes are not measured, because code and data are loaded and compiled in them. */
const WARM_UP_MINUTES = 4
const MAX_GROWTH = 1.5

it('keeps the size of the heap during a session of twenty minutes', async () => {
  const { token, store, api } = await createFixture()
  for (const i of [1, 2, 3]) {
    await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: `ada${i}@example.com` })
  }
  const { page, done } = await openConsole(token, `/s/${store}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  // The clock of the page is advanced, so every timer that reads data again runs as often as in real minutes.
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

/** Returns the bytes in use after a garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
