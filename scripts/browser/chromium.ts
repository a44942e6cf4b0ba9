/** The Chromium that is there, and pages that reach one origin alone. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const CANDIDATES = [
  process.env['CHROMIUM'],
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
]

export async function launchChromium(): Promise<Browser | undefined> {
  const executablePath = CANDIDATES.find((path) => path !== undefined && existsSync(path))
  return executablePath === undefined ? undefined : await chromium.launch({ executablePath, args: ARGUMENTS })
}

export interface Watched {
  page: Page
  /** Throws when the page has asked another host, or has reported an error. */
  check: () => void
}

/** A page with storage of its own. Every other host is blocked. */
export async function openPage(browser: Browser, origin: string): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const foreign: string[] = []
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.route('**/*', (route) => {
    const url = route.request().url()
    if (new URL(url).origin === origin || url.startsWith('data:')) return route.continue()
    foreign.push(url)
    return route.abort()
  })
  return {
    page,
    check: () => {
      assert.deepEqual(foreign, [], 'the page asked other hosts')
      assert.deepEqual(problems, [], 'the page reported errors')
    },
  }
}
