import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { simulate } from './run.ts'

describe('simulate', () => {
  it('is the same run for the same seed, whatever ran before it', async () => {
    const first = await simulate(5)
    await simulate(6)
    const again = await simulate(5)
    assert.equal(again.digest, first.digest)
    assert.deepEqual(again.mishaps, first.mishaps)
    assert.ok(first.mishaps.length > 0)
  })

  it('is the same run in another process', async () => {
    const { digest } = await simulate(5)
    const main = join(import.meta.dirname, 'main.ts')
    const { stdout } = spawnSync(process.execPath, [main, '--seed', '5'], { encoding: 'utf8' })
    assert.ok(stdout.includes(digest), stdout)
  })

  it('leaves everything else as it was when one mishap is left out', async () => {
    const run = await simulate(5)
    const last = run.mishaps.at(-1)
    assert.ok(last)
    const { mishaps } = await simulate(5, new Set([last.id]))
    const before = run.mishaps.filter(({ at }) => at < last.at)
    assert.deepEqual(mishaps.slice(0, before.length), before)
    assert.ok(!mishaps.some(({ id }) => id === last.id))
  })

  it('does not do what is left out, and does the rest', async () => {
    const run = await simulate(5)
    const [first] = run.steps
    assert.ok(first)
    const { steps } = await simulate(5, new Set([first]))
    assert.deepEqual(new Set(steps), new Set(run.steps.filter((step) => step !== first)))
  })
})
