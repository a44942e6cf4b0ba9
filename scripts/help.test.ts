/** `--help` of the commands: it needs no valid configuration, no token and no network. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

for (const command of [
  'dev',
  'import',
  'export',
  'deploy',
  'backup',
  'restore',
  'after-restore',
  'keep-release',
  'db:generate',
]) {
  for (const option of ['--help', '-h']) {
    await test(`npm run ${command} -- ${option} prints the usage`, () => {
      const argv = [`scripts/${command.replace(':', '-')}.ts`, '--port', 'abc', option]
      const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      assert.ok(stdout.startsWith(`npm run ${command}`), stdout)
      assert.equal(stderr, '')
    })
  }
}

await test('an import or an export says so if npm has kept an option, such as --dry-run', () => {
  for (const [command, option] of [
    ['import', 'dry-run'],
    ['import', 'undo'],
    ['export', 'spreadsheet'],
  ] as const) {
    const argv = [`scripts/${command}.ts`, 'people.csv', '--store', 'demo', '--url', 'http://localhost:1']
    const env = { ...process.env, [`npm_config_${option.replace('-', '_')}`]: 'true', REGISTRAR_TOKEN: 'rgs_x' }
    const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', env })
    assert.equal(status, 2)
    assert.ok(
      stderr.startsWith(
        `npm has kept --${option} for itself. Write two dashes before it: npm run ${command} -- --${option} …\n`,
      ),
      stderr,
    )
  }
})

await test('npm run keep-release does not replace a database that is kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-'))
  try {
    mkdirSync(join(folder, 'test/releases'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}')
    writeFileSync(join(folder, 'test/releases/1.2.3.sql'), 'kept')
    const argv = [resolve('scripts/keep-release.ts')]
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^test\/releases\/1\.2\.3\.sql exists already\. Set the version of the release first/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
