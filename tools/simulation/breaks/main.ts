/**
 * `npm run simulate:breaks [-- NAME…] [--runs N] [--update]`: does the simulation find defects? Each break (break.ts) with
 * a NAME in its name is made while the Worker's sources are loaded (no file is changed), and simulated from seed 1 on until a
 * check fails, at most N times (100). As many are tried at once as there are cores. It fails if one is not found. `--update`
 * writes found.tsv.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { BREAKS } from './breaks.ts'
import { type Finding, withoutIds, writeFindings } from './findings.ts'

const MAIN = join(import.meta.dirname, '..', 'main.ts')
/** A broken Worker may compute without an end, and then no check can look at it. A run takes a second or two. */
const PATIENCE_MS = 5 * 60_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean' }, runs: { type: 'string', default: '100' } },
})

/** Simulates these seeds with a break, or without one, and returns what the process has printed. */
async function simulate(first: number, runs: number, name?: string): Promise<string> {
  const seeds = ['--seed', String(first), '--runs', String(runs)]
  const child = spawn(process.execPath, [MAIN, ...seeds, '--as-is'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(name !== undefined && { SIMULATED_BREAK: name }) },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  // It prints a line for each run.
  child.stdout.on('data', () => timer.refresh())
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  clearTimeout(timer)
  return stdout + stderr
}

const FAILURE = /^seed (\d+) fails:\n- (.*)$/m

const sound = new Map<number, Promise<boolean>>()

/** False if the seed fails without a break as well: then its failure says nothing about the break. */
function isSound(seed: number): Promise<boolean> {
  const passes = sound.get(seed) ?? simulate(seed, 1).then((printed) => !FAILURE.test(printed))
  sound.set(seed, passes)
  return passes
}

async function find(name: string): Promise<Finding> {
  const runs = Number(values.runs)
  const printed = await simulate(1, runs, name)
  const [, found, violation = ''] = FAILURE.exec(printed) ?? []
  const seed = Number(found)
  if (found !== undefined && (await isSound(seed))) return { name, runs: seed, text: summarize(violation) }
  if (found !== undefined) return { name, runs: undefined, text: `seed ${seed} fails without it as well` }
  const isOver = printed.includes(`: ${runs} runs, `)
  return {
    name,
    runs: undefined,
    text: isOver ? `not in ${runs} runs` : `no end: ${printed.slice(-300).replaceAll(/\s+/g, ' ')}`,
  }
}

/** Without the record and the story, which differ with every change of the service. */
function summarize(violation: string): string {
  const [kind = ''] = violation.replace(/^(red|blue|green): | to https:.*/g, '').split(/: | [{"]/)
  return withoutIds(kind)
}

const chosen = BREAKS.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)))
const findings: Finding[] = []
const waiting = chosen.values()
const tryInTurn = async () => {
  for (const { name } of waiting) {
    const finding = await find(name)
    findings.push(finding)
    const { runs, text: as } = finding
    console.log(
      `${findings.length}/${chosen.length} ${name}: ${runs === undefined ? 'NOT FOUND' : `${runs} runs`}, ${as}`,
    )
    // An interruption loses nothing.
    if (values.update) writeFindings(findings)
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, tryInTurn))
const missed = findings.filter(({ runs }) => runs === undefined)
console.log(`${findings.length - missed.length} of ${findings.length} found`)
if (missed.length > 0 || findings.length === 0) process.exitCode = 1
