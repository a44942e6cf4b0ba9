/**
 * `npm run test:console` tests every screen in a real browser, against `npm run dev`. Arguments select files by a part
 * of their name, and `--without a,b` leaves files out.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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
const { pages = [], others = [] } = Object.groupBy(files, (file) =>
  readFileSync(file, 'utf8').includes(" from './service.ts'") ? 'pages' : 'others',
)

// What needs no page may change what a whole process shares, so each file has its own. It needs no service either.
const codes = others.length === 0 ? [] : [codeOf(spawn(process.execPath, ['--test', ...others], { stdio: 'inherit' }))]
if (pages.length > 0) codes.push(testPages())
process.exit((await Promise.all(codes)).every((code) => code === 0) ? 0 : 1)

async function testPages(): Promise<number> {
  // With CONSOLE_ORIGIN the tests use a service that is already running, which saves the time of starting one.
  const given = process.env['CONSOLE_ORIGIN']
  const service = given === undefined ? await startService(await freePort()) : undefined
  const env = { ...process.env, CONSOLE_ORIGIN: given ?? service?.origin }
  // The second one prints what it has found when both have ended.
  const [first, second] = [run('inherit'), run('pipe')]
  const printed = second.stdout === null ? '' : text(second.stdout)
  const ended = await Promise.all([codeOf(first), codeOf(second)])
  console.log(await printed)
  await service?.stop()
  return Math.max(...ended)

  function run(stdout: 'inherit' | 'pipe'): ChildProcess {
    const child = fork(join(import.meta.dirname, 'one-browser.ts'), {
      env,
      stdio: ['ignore', stdout, 'inherit', 'ipc'],
    })
    child.on('message', () => child.send(pages.shift() ?? ''))
    return child
  }
}

async function codeOf(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'exit')
  return code ?? 1
}
