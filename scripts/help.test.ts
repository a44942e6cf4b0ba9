/** `--help` of the commands: it needs no valid configuration, no token and no network. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

for (const command of ['dev', 'import', 'export', 'deploy', 'after-restore']) {
  for (const option of ['--help', '-h']) {
    await test(`npm run ${command} -- ${option} prints the usage`, () => {
      const argv = [`scripts/${command}.ts`, '--port', 'abc', option]
      const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      assert.ok(stdout.startsWith(`npm run ${command} -- `), stdout)
      assert.equal(stderr, '')
    })
  }
}
