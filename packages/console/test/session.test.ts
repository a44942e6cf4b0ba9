import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { createFixture, openConsole } from './service.ts'

/** A round opens each of these screens by its link in the menu, for a minute each. It ends where it began. */
const SCREENS = ['Users', 'Product accesses', 'Products', 'Access tokens', 'Webhooks', 'Events', 'Overview']
/** The code of each screen is loaded in the first round and compiled in the first two, which are not measured. */
const WARM_UP_ROUNDS = 2
const MEASURED_ROUNDS = 3
const MAX_GROWTH = 1.2

it('keeps the size of the heap during a session of twenty minutes', async () => {
  const { token, store, api } = await createFixture()
  for (const i of [1, 2, 3]) {
    await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: `ada${i}@example.com` })
  }
  const { page, done } = await openConsole(token, `/s/${store}`, { isAlone: true })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  // The clock of the page is advanced, so every timer that reads data again runs as often as in real minutes.
  await page.clock.install()
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await openEachScreen(page)
  // Both measurements are taken on the same screen, because what a screen keeps differs from that of another.
  const before = await heapOf(page)
  for (let round = 0; round < MEASURED_ROUNDS; round++) await openEachScreen(page)
  const after = await heapOf(page)
  assert.ok(after < before * MAX_GROWTH, `the heap grew from ${before} to ${after} bytes`)
  await done()
})

async function openEachScreen(page: Page): Promise<void> {
  for (const screen of SCREENS) {
    await page.getByRole('link', { name: screen, exact: true }).click()
    await page.getByRole('heading', { name: screen, level: 1 }).waitFor()
    await page.clock.runFor('01:00')
  }
}

/** Returns the bytes in use after a garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
