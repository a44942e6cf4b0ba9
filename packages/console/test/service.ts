/** Gives each test a browser page, and a store and an operator of its own. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { parseEnv } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessible } from '../../../scripts/browser/axe.ts'
import { cronsOf, readConfig } from '../../../scripts/wrangler-config.ts'
import { launchChromium, openContext, watchPage } from '../../../scripts/browser/chromium.ts'

/** A busy machine needs long timeouts. A test that waits for something that never appears fails after this time. */
const TIMEOUT_MS = 20_000

/** main.ts starts the service and passes its origin on. */
export const origin = process.env['CONSOLE_ORIGIN'] ?? 'http://localhost:8787'

let browser: Promise<Browser> | undefined
const contexts = new Map<string, Promise<BrowserContext>>()
/** The page of each context that stays open. */
const keepers = new WeakMap<BrowserContext, Page>()
const withClock = new WeakSet<BrowserContext>()

async function openBrowser(): Promise<Browser> {
  const opened = await launchChromium()
  if (!opened) throw new Error('no Chromium found: set CHROMIUM to its path')
  // After a crash, the next test gets another one.
  opened.on('disconnected', () => {
    browser = undefined
    contexts.clear()
  })
  return opened
}

/**
 * The tests of a process share a context for each language and time zone, because its pages load the console from its cache.
 * They do not share anything else: the data of the earlier test is deleted first.
 */
async function contextOf({ language = 'en', timezone = 'UTC', isAlone = false }: Options): Promise<BrowserContext> {
  const name = `${language} ${timezone} ${isAlone ? crypto.randomUUID() : ''}`
  const opened =
    contexts.get(name) ?? openShared(name, { locale: language, timezoneId: timezone, reducedMotion: 'reduce' })
  contexts.set(name, opened)
  const context = await opened
  // A test that has failed leaves its page open, which would tell the token to the next one.
  await closePages(context)
  await context.unrouteAll()
  return context
}

async function openShared(name: string, options: BrowserContextOptions): Promise<BrowserContext> {
  browser ??= openBrowser()
  const context = await openContext(await browser, options)
  // With its last page a process ends, which has compiled the scripts of the console.
  const keeper = await context.newPage()
  await keeper.goto(`${origin}/health`)
  keepers.set(context, keeper)
  // The clock of one page is that of the context for good, so no other test gets it.
  const install = context.clock.install.bind(context.clock)
  context.clock.install = (time) => {
    contexts.delete(name)
    withClock.add(context)
    return install(time)
  }
  return context
}

async function closePages(context: BrowserContext): Promise<void> {
  const keeper = keepers.get(context)
  await Promise.all(context.pages().map(async (page) => page === keeper || page.close()))
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
  { serviceOrigin = origin, ...details }: { serviceOrigin?: string; time_zone?: string } = {},
): Promise<Fixture> {
  const name = crypto.randomUUID().slice(0, 8)
  const store = `shop-${name}`
  await call(
    'POST',
    '/admin/stores',
    { id: store, name: `Academy ${name}`, language: 'EN', ...details },
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
  /** Gives the page a process in which no other test has been. */
  isAlone?: boolean
}

/**
 * Opens `path` (the part of the URL after `#`), signed in with `token`. Without a token, the page shows the sign-in.
 */
export async function openConsole(token: string | undefined, path: string, options: Options = {}): Promise<OpenPage> {
  const { width = 1440, scheme = 'light', serviceOrigin = origin } = options
  const context = await contextOf(options)
  const page = await context.newPage()
  const check = watchPage(page, serviceOrigin)
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme: scheme })
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: serviceOrigin, storageTypes: 'all' })
  page.setDefaultTimeout(TIMEOUT_MS)
  if (token !== undefined) {
    await page.addInitScript((kept) => sessionStorage.setItem('registrar.token', kept), token)
  }
  await page.goto(`${serviceOrigin}/console#${path}`)
  return {
    page,
    done: async () => {
      await closePages(context)
      if (withClock.has(context)) await context.close()
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

/**
 * Runs the job that counts statistics, which otherwise runs once a minute, until it has counted the store as it is now. Right
 * after a run for another test, a store rests for a moment.
 */
export async function countStats({ api }: Pick<Fixture, 'api'>): Promise<void> {
  const { minutely } = cronsOf(readConfig())
  const began = Date.now()
  do {
    const { ok } = await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(minutely)}`)
    assert.ok(ok)
  } while (Date.parse((await api('GET', '/stats')).as_of) < began)
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
