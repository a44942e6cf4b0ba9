/** `npm run smoke`: starts the service as the README says, pastes the curl commands that it prints, and stops it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { startService } from './service.ts'

const service = await startService(8797)
const commands = service.output().match(/^curl (?:.*\\\n)*.*$/gm) ?? []
assert.equal(commands.length, 3, 'one command for each of the three operations')
for (const command of commands) {
  const { stdout } = spawnSync('bash', ['-c', `${command} -s`], { encoding: 'utf8' })
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(stdout) ?? []
  const isTaken = stdout.includes('"email_taken"')
  assert.ok(status === '201' || (status === '422' && isTaken), `${command}\n${stdout}`)
  console.log(
    `${status}${isTaken ? ' email_taken (an earlier run created the user)' : ''}: ${command.split('\n', 1)[0]}`,
  )
}

assert.equal(await service.stop(), 0)
await assert.rejects(fetch(`${service.origin}/health`), TypeError, 'nothing listens any more')
console.log('smoke passed.')
