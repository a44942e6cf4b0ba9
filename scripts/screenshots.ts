/** `npm run screenshots`: takes the README's pictures of the console, with the demo store of a first `npm run dev`. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Browser } from 'playwright-core'
import { launchChromium } from './browser/chromium.ts'
import { freePort } from './free-port.ts'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'

const FOLDER = 'docs/images'

interface Picture {
  file: string
  /** The part after `#`. */
  path: string
  scheme?: 'light' | 'dark'
  height?: number
  /** The page is complete when this heading is visible. */
  heading: string
}

const PICTURES: Picture[] = [
  { file: 'overview.png', path: '/s/demo', heading: 'Overview' },
  { file: 'user.png', path: '/s/demo/users/260', heading: 'Benjamin Kowal', height: 1200 },
  { file: 'accesses.png', path: '/s/demo/accesses', heading: 'Accesses', scheme: 'dark' },
]

const browser = await launchChromium()
if (browser === undefined) throw new Error('no Chromium found: set CHROMIUM to its path')
mkdirSync(FOLDER, { recursive: true })
const project = copyProject()
const service = await startService(await freePort(), project)
try {
  for (const picture of PICTURES) await take(browser, picture)
} finally {
  await browser.close()
  await service.stop()
  rmSync(project, { recursive: true })
}

async function take(
  chromium: Browser,
  { file, path, scheme = 'light', height = 800, heading }: Picture,
): Promise<void> {
  const viewport = { width: 1440, height }
  const context = await chromium.newContext({ viewport, colorScheme: scheme, locale: 'en', reducedMotion: 'reduce' })
  const page = await context.newPage()
  const token = parseEnv(readFileSync(join(project, '.dev.vars'), 'utf8'))['ADMIN_TOKEN'] ?? ''
  await page.addInitScript((kept) => sessionStorage.setItem('registrar.token', kept), token)
  await page.goto(`${service.origin}/console#${path}`)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(FOLDER, file) })
  await context.close()
}
