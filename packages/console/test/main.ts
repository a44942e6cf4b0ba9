/**
 * `npm run test:console` tests every screen in a real browser, against `npm run dev`. Arguments select files by a part
 * of their name, and `--without a,b` leaves files out.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { freePort } from '../../../scripts/free-port.ts'
import { startService } from '../../../scripts/service.ts'
import { findChromium } from '../../../scripts/browser/chromium.ts'

if (findChromium() === undefined) {
  console.log('test:console skipped: no Chromium found (set CHROMIUM to its path).')
  process.exit(0)
}
const { values, positionals: wanted } = parseArgs({
  options: { without: { type: 'string' } },
  allowPositionals: true,
})
const unwanted = values.without?.split(',') ?? []
// The longest first, so that both processes end at about the same time.
const files = globSync('packages/console/test/*.test.ts')
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)))
  .filter((file) => !unwanted.some((name) => file.includes(name)))
  .toSorted((a, b) => statSync(b).size - statSync(a).size)
// With CONSOLE_ORIGIN the tests use a service that is already running, which saves the time of starting one.
const given = process.env['CONSOLE_ORIGIN']
const service = given === undefined ? await startService(await freePort()) : undefined
const tests = spawn(process.execPath, ['--test', '--test-concurrency=2', ...files], {
  env: { ...process.env, CONSOLE_ORIGIN: given ?? service?.origin },
  stdio: 'inherit',
})
const [code] = await once(tests, 'exit')
await service?.stop()
process.exit(code === 0 ? 0 : 1)
