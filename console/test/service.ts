/** The service, a browser and what each test begins with: its own store and its own operator. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { parseEnv } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { assertAccessible } from '../../scripts/browser/axe.ts'
import { launchChromium, openPage } from '../../scripts/browser/chromium.ts'

/** On a busy machine; what is never there fails after it. */
const PATIENCE_MS = 20_000

/** main.ts starts the service and tells where it is. */
export const origin = process.env['CONSOLE_ORIGIN'] ?? 'http://localhost:8787'

let browser: Promise<Browser | undefined> | undefined

/** One for the tests of a file. */
async function openBrowser(): Promise<Browser> {
  const opened = await (browser ??= launchChromium())
  if (!opened) throw new Error('no Chromium found: set CHROMIUM to its path')
  return opened
}

after(async () => (await browser)?.close())

/** ADMIN_TOKEN. */
export function rootToken(): string {
  return parseEnv(readFileSync('.dev.vars', 'utf8'))['ADMIN_TOKEN'] ?? ''
}

/** Calls the API as an operator, the root unless `token` is given; throws for whatever is no success. */
export async function call(
  method: string,
  path: string,
  body?: unknown,
  token = rootToken(),
  at = origin,
): Promise<any> {
  const response = await fetch(at + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

export interface Place {
  store: string
  /** Of an operator of this test alone, so that no test uses up the quota of another. */
  token: string
  /** Calls the API under the store's path: `api('POST', '/products', …)`. */
  api: (method: string, path: string, body?: unknown) => Promise<any>
}

/** A store of its own. */
export async function newPlace(role: 'admin' | 'viewer' = 'admin', at = origin): Promise<Place> {
  const name = crypto.randomUUID().slice(0, 8)
  const store = `shop-${name}`
  await call('POST', '/admin/stores', { id: store, name: `Academy ${name}`, language: 'EN' }, rootToken(), at)
  const { token } = await call('POST', '/admin/operators', { name: `Olivia ${name}`, role }, rootToken(), at)
  // A viewer's test is set up by the root.
  const writer = role === 'viewer' ? rootToken() : token
  return { store, token, api: (method, path, body) => call(method, `/admin/stores/${store}${path}`, body, writer, at) }
}

interface Opened {
  page: Page
  /** Ends the page, and fails where it asked another host, logged an error or broke. */
  done: () => Promise<void>
}

interface Options {
  width?: number
  scheme?: 'light' | 'dark'
  language?: string
  timezone?: string
  /** Parts of messages that the test expects, such as of a refused request. */
  expected?: string[]
  /** Of another service than the one that all tests share. */
  at?: string
}

/** A page signed in with `token`, at `path` (what follows `#`); without a token at the sign-in. */
export async function openConsole(token: string | undefined, path: string, options: Options = {}): Promise<Opened> {
  const { width = 1280, scheme = 'light', language = 'en', timezone = 'UTC', at = origin } = options
  const { page, check } = await openPage(await openBrowser(), at, {
    viewport: { width, height: 900 },
    colorScheme: scheme,
    locale: language,
    timezoneId: timezone,
    reducedMotion: 'reduce',
  })
  page.setDefaultTimeout(PATIENCE_MS)
  if (token !== undefined) {
    await page.addInitScript((kept) => sessionStorage.setItem('registrar.token', kept), token)
  }
  await page.goto(`${at}/console#${path}`)
  return {
    page,
    done: async () => {
      await page.context().close()
      check(options.expected)
    },
  }
}

/** Throws for what axe-core finds serious or critical, and where the page scrolls sideways. */
export async function inspectPage(page: Page): Promise<void> {
  await assertAccessible(page, page.url().replace(origin, ''))
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.equal(overflow, 0, 'the page scrolls sideways')
}

/** The screen in both appearances and both widths, once `isReady` sees what it waits for. */
export async function inspectScreen(
  token: string,
  path: string,
  isReady: (page: Page) => Promise<unknown>,
): Promise<void> {
  const { page, done } = await openConsole(token, path)
  await isReady(page)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
      // Colours fade into each other.
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
      await inspectPage(page)
    }
  }
  await done()
}
