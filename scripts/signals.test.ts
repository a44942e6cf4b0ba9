/** What the commands do when nobody reads what they print. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

/** Runs a program that prints until it ends, and closes its output. */
async function closedAfter(program: string): Promise<{ code: unknown; stderr: string }> {
  const text = `import { goOnWithoutReader, onClosedOutput } from './scripts/signals.ts'\n${program}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = await once(child, 'close')
  return { code, stderr }
}

const PRINT = `for (let i = 0; i < 10; i++) {
  console.log('line')
  await new Promise((resolve) => setTimeout(resolve, 5))
}
process.exitCode = 3`

await test('a command goes on to its own end', async () => {
  assert.deepEqual(await closedAfter(`goOnWithoutReader()\n${PRINT}`), { code: 3, stderr: '' })
})

await test('the local service ends', async () => {
  assert.deepEqual(await closedAfter(`onClosedOutput(() => process.exit(0))\n${PRINT}`), { code: 0, stderr: '' })
})
