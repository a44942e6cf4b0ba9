/** Gives each test a browser page, and a store and an operator of its own. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { parseEnv } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { assertAccessible } from '../../scripts/browser/axe.ts'
import { cronsOf, readConfig } from '../../scripts/wrangler-config.ts'
import { launchChromium, openPage } from '../../scripts/browser/chromium.ts'

/** A busy machine needs long timeouts. A test that waits for something that never appears fails after this time. */
const TIMEOUT_MS = 20_000

/** main.ts starts the service and passes its origin on. */
export const origin = process.env['CONSOLE_ORIGIN'] ?? 'http://localhost:8787'

let browser: Promise<Browser | undefined> | undefined

/** All tests of a file share one browser, because starting one takes a second. */
async function openBrowser(): Promise<Browser> {
  const opened = await (browser ??= launchChromium())
  if (!opened) throw new Error('no Chromium found: set CHROMIUM to its path')
  return opened
}

after(async () => (await browser)?.close())

/** Returns ADMIN_TOKEN. */
export function rootToken(): string {
  return parseEnv(readFileSync('.dev.vars', 'utf8'))['ADMIN_TOKEN'] ?? ''
}

/** Calls the API with the token, by default as the root. Throws unless the response is successful. */
export async function call(
  method: string,
  path: string,
  body?: unknown,
  token = rootToken(),
  serviceOrigin = origin,
): Promise<any> {
  const response = await fetch(serviceOrigin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

export interface Fixture {
  store: string
  /**
   * The token of an operator that only this test uses. With a shared operator, one test could use up the quota of
   * another.
   */
  token: string
  /** Calls the API under the path of the store, as in `api('POST', '/products', …)`. */
  api: (method: string, path: string, body?: unknown) => Promise<any>
}

/** Creates a store and an operator for one test. */
export async function createFixture(
  role: 'admin' | 'office' | 'viewer' = 'admin',
  serviceOrigin = origin,
): Promise<Fixture> {
  const name = crypto.randomUUID().slice(0, 8)
  const store = `shop-${name}`
  await call(
    'POST',
    '/admin/stores',
    { id: store, name: `Academy ${name}`, language: 'EN' },
    rootToken(),
    serviceOrigin,
  )
  const { token } = await call('POST', '/admin/operators', { name: `Olivia ${name}`, role }, rootToken(), serviceOrigin)
  // A viewer and the office cannot create all data of a test, so the root does.
  const writer = role === 'admin' ? token : rootToken()
  return {
    store,
    token,
    api: (method, path, body) => call(method, `/admin/stores/${store}${path}`, body, writer, serviceOrigin),
  }
}

interface OpenPage {
  page: Page
  /** Closes the page, and fails the test if the page called another host, logged an error or crashed. */
  done: () => Promise<void>
}

interface Options {
  width?: number
  scheme?: 'light' | 'dark'
  language?: string
  timezone?: string
  /** Parts of console messages that the test expects, such as the status of a rejected request. */
  expected?: string[]
  /** The origin of a service other than the one that all tests share. */
  serviceOrigin?: string
}

/**
 * Opens `path` (the part of the URL after `#`), signed in with `token`. Without a token, the page shows the sign-in.
 */
export async function openConsole(token: string | undefined, path: string, options: Options = {}): Promise<OpenPage> {
  const { width = 1440, scheme = 'light', language = 'en', timezone = 'UTC', serviceOrigin = origin } = options
  const { page, check } = await openPage(await openBrowser(), serviceOrigin, {
    viewport: { width, height: 900 },
    colorScheme: scheme,
    locale: language,
    timezoneId: timezone,
    reducedMotion: 'reduce',
  })
  page.setDefaultTimeout(TIMEOUT_MS)
  if (token !== undefined) {
    await page.addInitScript((kept) => sessionStorage.setItem('registrar.token', kept), token)
  }
  await page.goto(`${serviceOrigin}/console#${path}`)
  return {
    page,
    done: async () => {
      await page.context().close()
      // Without a token, the console asks whether Cloudflare Access has signed the operator in.
      check([...(options.expected ?? []), ...(token === undefined ? ['401'] : [])])
    },
  }
}

/**
 * Comes back to the tab after longer than the console trusts what it has read, so everything on the screen is read again.
 * The test must have installed the clock of the page.
 */
export async function returnToTab(page: Page): Promise<void> {
  await page.clock.runFor(6_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
}

/** Runs the job that counts statistics, which otherwise runs once a minute. */
export async function countStats(): Promise<void> {
  const { minutely } = cronsOf(readConfig())
  const { ok } = await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(minutely)}`)
  assert.ok(ok)
}

/** Throws if axe-core finds a serious or critical problem, or if the page scrolls sideways. */
export async function assertPageIsAccessible(page: Page): Promise<void> {
  await assertAccessible(page, page.url().replace(origin, ''))
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.equal(overflow, 0, 'the page scrolls sideways')
}

/** Throws if the widths of a table's columns depend on its rows, or if a cell is too narrow for what it shows. */
export async function assertColumnsAreFixed(page: Page): Promise<void> {
  const problems = await page.locator('table[role=table]').evaluateAll((tables) =>
    tables.flatMap((table) => [
      ...(getComputedStyle(table).tableLayout === 'fixed' ? [] : ['the widths depend on the rows']),
      ...Array.from(table.querySelectorAll('td, th'))
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
        .map((cell) => `too narrow: ${cell.textContent}`),
    ]),
  )
  assert.deepEqual(problems, [])
}

/** Each width and each color scheme once. At night, EVERY_VARIANT adds the other combinations. */
const VARIANTS = [
  { width: 1440, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  ...(process.env['EVERY_VARIANT'] === undefined
    ? []
    : [{ width: 1440, scheme: 'dark' } as const, { width: 390, scheme: 'light' } as const]),
] as const

/** Inspects the screen in both color schemes and both widths, after `isReady` has resolved. */
export async function assertScreenIsAccessible(
  token: string,
  path: string,
  isReady: (page: Page) => Promise<unknown>,
): Promise<void> {
  const { page, done } = await openConsole(token, path)
  await isReady(page)
  for (const { width, scheme } of VARIANTS) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
    // During a transition of colors, axe-core would measure a contrast that is only temporary.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
    await assertPageIsAccessible(page)
    if (width > 390) await assertColumnsAreFixed(page)
  }
  await done()
}
