/** The installation before a command, in a folder with its own package-lock.json and a stand-in for npm that counts. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { promisify } from 'node:util'

/** It installs what the lock file names, a moment later, with a Node that `run.js` then uses. */
const NPM = `#!/bin/sh
echo "npm $*" >> npm.log
sleep 1
mkdir -p node_modules/.bin
cp package-lock.json node_modules/.package-lock.json
ln -sf "${process.execPath}" node_modules/.bin/node
`
const HELLO = "console.log('hello', ...process.argv.slice(2)); process.exitCode = 3"

const folder = mkdtempSync(join(tmpdir(), 'registrar-packages-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const env = { ...process.env, PATH: `${folder}/bin:${process.env['PATH']}` }
const installations = () => readFileSync(join(folder, 'npm.log'), 'utf8').trim().split('\n').length
const lockFile = (integrity: string) =>
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0', integrity } } }),
  )

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['scripts', 'bin']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'bin/npm'), NPM, { mode: 0o755 })
  writeFileSync(join(folder, 'scripts/hello.js'), HELLO)
  for (const name of ['packages.js', 'run.js', 'require-packages.js'])
    cpSync(join(import.meta.dirname, name), join(folder, 'scripts', name))
  lockFile('sha512-first')
})

function run(...args: string[]) {
  return promisify(execFile)(process.execPath, ['scripts/run.js', 'scripts/hello.js', ...args], { cwd: folder, env })
    .catch((error: { code: number; stdout: string; stderr: string }) => error)
    .then((result) => ({ code: 'code' in result ? result.code : 0, stdout: result.stdout, stderr: result.stderr }))
}

await test('installs what is missing, and passes on arguments and exit code', async () => {
  const { code, stdout } = await run('a', 'b')
  assert.equal(code, 3)
  assert.match(stdout, /^Installing 2 packages with `npm ci`.*\nhello a b\n$/)
  assert.equal((await run('c')).stdout, 'hello c\n')
  assert.equal(installations(), 1)
})

await test('two terminals install once', async () => {
  const results = await Promise.all([run('a'), run('b'), run('c')])
  assert.deepEqual(
    results.map(({ stdout }) => stdout.trim().split('\n').at(-1)),
    ['hello a', 'hello b', 'hello c'],
  )
  assert.equal(installations(), 1)
})

await test('installs again when the lock file names another package', async () => {
  await run()
  lockFile('sha512-second')
  const { stderr, status } = spawnSync(process.execPath, ['scripts/require-packages.js'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stderr, /Run `npm ci` first/)
  await run()
  assert.equal(installations(), 2)
})

await test('takes over from an installation that was killed', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/installing'), String(pid))
  assert.match((await run('a')).stdout, /hello a\n$/)
  assert.equal(installations(), 1)
})

await test('says that the installation has failed, and starts nothing', async () => {
  writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\necho "no network" >&2\nexit 1\n', { mode: 0o755 })
  const { code, stdout, stderr } = await run('a')
  assert.equal(code, 1)
  assert.doesNotMatch(stdout, /hello/)
  assert.match(stderr, /no network\nThe packages could not be installed/)
})

await test('says in one line that npm has run no install scripts, on a Node that cannot run TypeScript', async () => {
  writeFileSync(join(folder, 'bin/npm'), NPM.replace(/^ln .*\n/m, ''), { mode: 0o755 })
  assert.match((await run('a')).stdout, /hello a\n$/)
  // As Node 20. The packages are there at the second start, and missing at the third one.
  for (const again of [true, false]) {
    if (!again) rmSync(join(folder, 'node_modules'), { recursive: true })
    const argv = ['--no-experimental-strip-types', 'scripts/run.js', 'scripts/hello.js']
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env })
    assert.equal(status, 1)
    assert.match(stderr, /^npm has run no install scripts, so Node 24 is missing\. [^\n]+\n$/)
  }
})

await test('says in one line that Vite cannot build in a folder with a # or a ?', () => {
  for (const name of ['C#', 'what?']) {
    const other = join(folder, name)
    cpSync(join(folder, 'scripts'), join(other, 'scripts'), { recursive: true })
    for (const argv of [['scripts/run.js', 'scripts/hello.js'], ['scripts/require-packages.js']]) {
      const { status, stderr } = spawnSync(process.execPath, argv, { cwd: other, encoding: 'utf8' })
      assert.equal(status, 1)
      assert.match(stderr, /^The path of this folder must have no # and no \?, [^\n]+\n$/)
    }
  }
})

await test('every command installs what is missing, or says in one line that it is missing', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  )
  // npm runs it after the installation.
  const { postinstall: _, ...commands } = scripts
  for (const [name, command] of Object.entries(commands))
    assert.match(command, /^(?:node scripts\/require-packages\.js && |exec node scripts\/run\.js )/, name)
})
