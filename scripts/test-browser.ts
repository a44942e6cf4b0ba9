/**
 * `npm run test:browser`: the reference page in a real browser that reaches no other host: it renders, shows the
 * three operations, and a request sent from it gets its 201.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { type Service, startService } from './service.ts'

const CANDIDATES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const executablePath = CANDIDATES.find((path) => path !== undefined && existsSync(path))
if (executablePath === undefined) {
  console.log('test:browser skipped: no Chromium found (set CHROMIUM to its path).')
  process.exit(0)
}

const service = await startService(8798)
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
})
try {
  await tryReference(await browser.newPage(), service)
  console.log('test:browser passed: /docs renders without any other host, and its request got a 201.')
} finally {
  await browser.close()
  await service.stop()
}

async function tryReference(page: Page, { origin, token }: Service): Promise<void> {
  const foreign: string[] = []
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.route('**/*', (route) => {
    const url = route.request().url()
    if (url.startsWith(origin) || url.startsWith('data:')) return route.continue()
    foreign.push(url)
    return route.abort()
  })

  await page.goto(`${origin}/docs`)
  for (const id of ['createPublicUser', 'createUser', 'updateProductAccess']) {
    await page.locator(`[id$="-${id}"]`).waitFor()
  }

  await page.locator('.btn.authorize').first().click()
  await page.locator('.auth-container input').first().fill(token)
  await page.locator('.auth-container button[type=submit]').first().click()
  await page.locator('.btn-done').first().click()

  const operation = page.locator('[id$="-updateProductAccess"]')
  await operation.locator('.opblock-summary').click()
  await operation.locator('.btn.execute').click()
  const status = operation.locator('.live-responses-table .response-col_status').last()
  await status.waitFor()
  assert.equal((await status.textContent())?.trim().slice(0, 3), '201')
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0, 'the token goes with the page')
  assert.deepEqual(foreign, [], 'the page asked other hosts')
  assert.deepEqual(problems, [], 'the page reported errors')
}
