/** Finds the installed Chromium and opens pages that can reach one origin only. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CANDIDATES = [
  process.env['CHROMIUM'],
  // The same engine without the user interface of a browser, which takes a second for each page.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-sync',
  // A page costs half as much in the process of another one, which has already compiled the scripts.
  '--process-per-site',
  // A page that calls another host gets no response.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

export function findChromium(): string | undefined {
  return CANDIDATES.find((path) => path !== undefined && existsSync(path))
}

export async function launchChromium(): Promise<Browser | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  // Without a locale that has them, Chromium offers a download whose name has letters such as "é" under the name "download".
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  return await chromium.launch({ executablePath, args: ARGUMENTS, env })
}

/**
 * A context has its own storage. `browser.newPage` would make one whose page could not open another tab with the same
 * storage.
 */
export function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 1280, height: 900 },
    // The headless shell asks for permission, and nobody is there to answer.
    permissions: ['clipboard-write'],
    ...options,
  })
}

/**
 * Watches the page from now on. The function that it returns throws if the page requested another host, or reported an
 * error that contains none of the expected texts.
 */
export function watchPage(page: Page, origin: string): (expected?: string[]) => void {
  const foreign: string[] = []
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('request', (request) => {
    const url = request.url()
    if (new URL(url).origin !== origin && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  return (expected = []) => {
    assert.deepEqual(foreign, [], 'the page requested other hosts')
    const unexpected = problems.filter((problem) => !expected.some((part) => problem.includes(part)))
    assert.deepEqual(unexpected, [], 'the page reported errors')
  }
}
