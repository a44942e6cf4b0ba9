/**
 * `npm run console:tasks` does ten tasks of an operator's day in Chromium, in a store with 50,000 users, and writes
 * docs/console-tasks.md. With `--users N` the store is of another size, with `--dry-run` nothing is written, and with
 * `--only-search` only the searches are measured.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { ADMIN_TOKEN, buildBundle, host, migrate } from '../../../bench/host.ts'
import { launchChromium, openPage } from '../../../scripts/browser/chromium.ts'
import { completeSecrets } from '../../../scripts/local-secrets.ts'
import { startService } from '../../../scripts/service.ts'
import { cronsOf, readConfig } from '../../../scripts/wrangler-config.ts'
import { Hands } from './hands.ts'
import { type Done, reportOf } from './report.ts'
import { createSchool, type School, STORE } from './school.ts'
import { measureSearch, type SearchTimes } from './search.ts'
import { type Task, TASKS } from './tasks.ts'

const PORT = 8936
const DATA = '.wrangler/console-tasks'
const ASSETS = 'dist/assets'
const PICTURES = 'docs/images/tasks'
const REPORT = 'docs/console-tasks.md'
/** Smaller than on the screen, or the repository would grow by megabytes. */
const PICTURE_SCALE = 0.6

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '50000' },
    'dry-run': { type: 'boolean', default: false },
    'only-search': { type: 'boolean', default: false },
  },
})
const tasks = values['only-search'] ? [] : TASKS
const isDryRun = values['dry-run'] || tasks.length === 0
const { minutely } = cronsOf(readConfig())

const browser = await launchChromium()
if (browser === undefined) throw new Error('no Chromium found: set CHROMIUM to its path')
rmSync(DATA, { recursive: true, force: true })
const direct = await measureDirectly(browser)
console.log('Direct:', direct)
const service = await startService(PORT, '.', ['--persist-to', DATA])
try {
  const { origin } = service
  const school = await createSchool({
    origin,
    rootToken: completeSecrets()['ADMIN_TOKEN'] ?? '',
    users: Number(values.users),
    runJob: () => fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(minutely)}`),
  })
  try {
    const search = { direct, dev: await measureSearch(await open(browser, origin, school), origin, school.users) }
    console.log('Through wrangler dev:', search.dev)
    const done: Done[] = []
    for (const task of tasks) done.push(await doTask(task, await open(browser, origin, school), school))
    if (!isDryRun) writeFileSync(REPORT, reportOf(school.users, search, done))
  } finally {
    school.shop.close()
  }
} finally {
  await browser.close()
  await service.stop()
  rmSync(DATA, { recursive: true, force: true })
}

/** Measures the searches without the proxy of `wrangler dev`, through which each request takes longer. */
async function measureDirectly(opened: Browser): Promise<SearchTimes[]> {
  const module = buildBundle('service')
  const bindings = { ENVIRONMENT: 'development' }
  const hosted = await host([{ name: 'service', module, bindings, assets: ASSETS, objects: 'service' }])
  try {
    await migrate(await hosted.db())
    const origin = await hosted.origin('service')
    const runJob = () => fetch(`${origin}/__scheduled?cron=${encodeURIComponent(minutely)}`)
    const school = await createSchool({ origin, rootToken: ADMIN_TOKEN, users: Number(values.users), runJob })
    school.shop.close()
    return await measureSearch(await open(opened, origin, school), origin, school.users)
  } finally {
    await hosted.stop()
  }
}

/** Each task begins at the overview of the store, in a browser that has nothing in its cache. */
async function open(opened: Browser, origin: string, { token }: School): Promise<Page> {
  const { page } = await openPage(opened, origin, {
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: PICTURE_SCALE,
    locale: 'en',
    timezoneId: 'Europe/Madrid',
    reducedMotion: 'reduce',
  })
  // A script cannot click in the dialog of the system. Without it, the browser saves the file by itself.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
  await page.addInitScript((kept) => sessionStorage.setItem('registrar.token', kept), token)
  await page.goto(`${origin}/console#/s/${STORE}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  return page
}

async function doTask({ id, text, do: work, check }: Task, page: Page, school: School): Promise<Done> {
  const hands = new Hands(page)
  const start = performance.now()
  await work(hands, school)
  const consoleSeconds = (performance.now() - start) / 1000
  if (!isDryRun) {
    mkdirSync(PICTURES, { recursive: true })
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(PICTURES, `${id}.png`) })
  }
  await check?.(school)
  await page.context().close()
  const { clicks, fields, keys, personSeconds } = hands
  const done = { id, text, clicks, fields, keys, consoleSeconds, seconds: consoleSeconds + personSeconds }
  console.log(done)
  return done
}
