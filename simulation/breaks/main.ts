/**
 * `npm run simulate:breaks [-- NAME] [--update]`: does the simulation find defects? Each break (break.ts) is made while
 * the Worker's sources are loaded (no file is changed), and is simulated until a check fails. `--update` writes the
 * table of README.md.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

import type { Break } from './break.ts'
import { BREAKS } from './breaks.ts'

const RUNS = 300

interface BreakResult {
  name: string
  /** Undefined if no violation was found, or if the simulation could not run. */
  runs: number | undefined
  finding: string
}

async function tryOne({ name }: Break): Promise<BreakResult> {
  const main = join(import.meta.dirname, '..', 'main.ts')
  const child = spawn(process.execPath, [main, '--seed', '1', '--runs', String(RUNS), '--as-is'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SIMULATED_BREAK: name },
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const runs = /: (\d+) runs/.exec(stdout)?.[1]
  const violation = /^- (.*)$/m.exec(stdout)?.[1]
  if (violation === undefined) return { name, runs: undefined, finding: runs === undefined ? stderr : 'not found' }
  return { name, runs: Number(runs), finding: summarize(violation) }
}

/** Removes the record and the story from a violation, which differ with every change of the service. */
function summarize(violation: string): string {
  const [about = ''] = violation.replace(/^(red|blue|quarantine): | to https:.*/g, '').split(/: | [{"]/)
  return about
}

function toTable(found: BreakResult[]): string {
  const rows = found.map(({ name, runs, finding }) => [name, String(runs), finding])
  const titles = ['left out or changed', 'runs', 'found as']
  const [first = 0, second = 0, third = 0] = titles.map((title, i) =>
    Math.max(...[titles, ...rows].map((row) => row[i]?.length ?? title.length)),
  )
  const line = ([a = '', b = '', c = '']: string[]) =>
    `| ${a.padEnd(first)} | ${b.padStart(second)} | ${c.padEnd(third)} |\n`
  const rule = `| ${'-'.repeat(first)} | ${'-'.repeat(second - 1)}: | ${'-'.repeat(third)} |\n`
  return line(titles) + rule + rows.map(line).join('')
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { update: { type: 'boolean' } } })
const chosen = BREAKS.filter(({ name }) => name.includes(positionals[0] ?? ''))
const found: BreakResult[] = []
const waiting = chosen.entries()
const tryInTurn = async () => {
  for (const [i, each] of waiting) {
    const one = await tryOne(each)
    console.log(`${one.name}: ${one.runs === undefined ? one.finding : `${one.runs} runs, ${one.finding}`}`)
    found[i] = one
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, tryInTurn))
if (found.some(({ runs }) => runs === undefined)) process.exitCode = 1
else if (values.update && chosen.length === BREAKS.length) {
  const readme = join(import.meta.dirname, '..', 'README.md')
  const page = readFileSync(readme, 'utf8').replace(/\| left out or changed[^]*?\n(?!\|)/, () => toTable(found))
  writeFileSync(readme, page)
}
