import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { simulate } from './run.ts'

describe('simulate', () => {
  it('returns the same run for the same seed after another run', async () => {
    const first = await simulate(5)
    await simulate(6)
    const again = await simulate(5)
    assert.equal(again.digest, first.digest)
    assert.deepEqual(again.faults, first.faults)
    assert.ok(first.faults.length > 0)
  })

  it('returns the same run in another process', async () => {
    const { digest } = await simulate(5)
    const main = join(import.meta.dirname, 'main.ts')
    const { stdout } = spawnSync(process.execPath, [main, '--seed', '5'], { encoding: 'utf8' })
    assert.ok(stdout.includes(digest), stdout)
  })

  it('keeps everything before a fault that is removed', async () => {
    const run = await simulate(5)
    const last = run.faults.at(-1)
    assert.ok(last)
    const { faults } = await simulate(5, { without: new Set([last.id]) })
    const before = run.faults.filter(({ at }) => at < last.at)
    assert.deepEqual(faults.slice(0, before.length), before)
    assert.ok(!faults.some(({ id }) => id === last.id))
  })

  it('skips a step that is removed, and executes all others', async () => {
    const run = await simulate(5)
    const [first] = run.steps
    assert.ok(first)
    const { steps } = await simulate(5, { without: new Set([first]) })
    assert.deepEqual(new Set(steps), new Set(run.steps.filter((step) => step !== first)))
  })
})
