/** The service, a browser and what each test begins with: its own store and its own operator. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { parseEnv } from 'node:util'
import axeCore, { type AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { CHROMIUM_ARGUMENTS, findChromium } from './chromium.ts'

/** On a busy machine; what is never there fails after it. */
const PATIENCE_MS = 20_000

/** main.ts starts the service and tells where it is. */
export const origin = process.env['CONSOLE_ORIGIN'] ?? 'http://localhost:8787'

declare global {
  // The page has it once its source was evaluated there.
  var axe: typeof axeCore
}

let browser: Promise<Browser> | undefined

/** One for all tests. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('no Chromium found: set CHROMIUM to its path')
  return (browser ??= chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS }))
}

after(async () => (await browser)?.close())

/** ADMIN_TOKEN. */
export function rootToken(): string {
  return parseEnv(readFileSync('.dev.vars', 'utf8'))['ADMIN_TOKEN'] ?? ''
}

/** Calls the API as an operator, the root unless `token` is given; throws for whatever is no success. */
export async function call(method: string, path: string, body?: unknown, token = rootToken()): Promise<any> {
  const response = await fetch(origin + path, {
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
export async function newPlace(role: 'admin' | 'viewer' = 'admin'): Promise<Place> {
  const name = crypto.randomUUID().slice(0, 8)
  const store = `shop-${name}`
  await call('POST', '/admin/stores', { id: store, name: `Academy ${name}`, language: 'EN' })
  const { token } = await call('POST', '/admin/operators', { name: `Olivia ${name}`, role })
  // A viewer's test is set up by the root.
  const writer = role === 'viewer' ? rootToken() : token
  return { store, token, api: (method, path, body) => call(method, `/admin/stores/${store}${path}`, body, writer) }
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
}

/** A page signed in with `token`, at `path` (what follows `#`); without a token at the sign-in. */
export async function openConsole(token: string | undefined, path: string, options: Options = {}): Promise<Opened> {
  const { width = 1280, scheme = 'light', language = 'en', timezone = 'UTC' } = options
  const context = await (
    await openBrowser()
  ).newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    locale: language,
    timezoneId: timezone,
    reducedMotion: 'reduce',
  })
  const problems: string[] = []
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  // The browser itself logs each refused request.
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await context.route('**/*', (route) => {
    const url = route.request().url()
    if (url.startsWith(origin) || /^(data|blob):/.test(url)) return route.continue()
    problems.push(`asked another host: ${url}`)
    return route.abort()
  })
  if (token !== undefined) {
    await page.addInitScript((kept) => sessionStorage.setItem('registrar.token', kept), token)
  }
  await page.goto(`${origin}/console#${path}`)
  return {
    page,
    done: async () => {
      await context.close()
      const unexpected = problems.filter((problem) => !(options.expected ?? []).some((part) => problem.includes(part)))
      assert.deepEqual(unexpected, [], 'the page reported problems')
    },
  }
}

/** What axe-core finds serious or critical, and whether the page scrolls sideways. */
export async function inspectPage(page: Page): Promise<void> {
  await page.evaluate(axeCore.source)
  const { violations }: AxeResults = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }))
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
  assert.deepEqual(told, [], 'axe-core finds something serious')
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
  for (const [width, scheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    const { page, done } = await openConsole(token, path, { width, scheme })
    await isReady(page)
    await inspectPage(page)
    await done()
  }
}
