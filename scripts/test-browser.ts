/** `npm run test:browser`: uses the reference page in a real browser that can reach no other host. */
import { readFileSync } from 'node:fs'
import { launchChromium } from './browser/chromium.ts'
import { tryReference } from './browser/reference.ts'
import { freePort } from './free-port.ts'
import { startService } from './service.ts'

const browser = await launchChromium()
if (browser === undefined) {
  console.log('test:browser skipped: no Chromium found (set CHROMIUM to its path).')
  process.exit(0)
}

const service = await startService(await freePort())
try {
  const operatorToken = /^ADMIN_TOKEN=(.+)$/m.exec(readFileSync('.dev.vars', 'utf8'))?.[1] ?? ''
  await tryReference(browser, service, operatorToken)
  console.log('test:browser passed: /docs shows, searches, sends and stores no token, without another host.')
} finally {
  await browser.close()
  await service.stop()
}
