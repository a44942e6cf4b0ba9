/**
 * `npm run simulate [-- --seed N] [--runs N] [--minutes N]`: simulates random seeds, or the seeds from N on, for a
 * number of runs or minutes. If a run fails, it prints the seed and the shortest history that still fails, and exits
 * with code 1. `--story` prints everything that happens. `--as-is` does not search for the shortest history, and prints
 * each seed.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { SWITCH } from './world/places.ts'
import { simulate } from './run.ts'
import { shrink } from './shrink.ts'
import { States } from './states.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string' },
    minutes: { type: 'string' },
    place: { type: 'string', default: 'both' },
    story: { type: 'boolean' },
    'as-is': { type: 'boolean' },
  },
})
const place = SWITCH.find((each) => each === values.place)
if (place === undefined) throw new Error(`--place must be one of ${SWITCH.join(', ')}`)
const variant = { place }
/** The options of this process without the seeds. */
const flags = place === 'both' ? [] : ['--place', place]
const command = (...seeds: string[]) => ['npm run simulate --', ...flags, ...seeds].join(' ')
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(values.runs ?? (values.seed === undefined && values.minutes === undefined ? 100 : Infinity))
const minutes = Number(values.minutes ?? Infinity)
const isOne = values.seed !== undefined && values.runs === undefined && values.minutes === undefined

const RUNS_FOR_ALL_STATES = 100
const started = process.hrtime.bigint()
const seconds = () => Number(process.hrtime.bigint() - started) / 1e9
let requests = 0
/** Invocations by crons. */
let otherInvocations = 0
let count = 0
const states = new States()
/** The seed of the run that is under way, in case the process ends in it. */
let current: number | undefined
process.on('exit', (code) => {
  // Within a run, the console is the Worker's.
  if (code !== 0 && current !== undefined)
    process.stdout.write(
      `seed ${current} fails:\n- the process has ended\nagain: ${command('--seed', String(current))}\n`,
    )
})

for (let seed = first; count < (isOne ? 1 : runs) && seconds() < minutes * 60; seed++) {
  current = seed
  const run = await simulate(seed, variant)
  current = undefined
  states.add(run.counts)
  requests += run.requests
  otherInvocations += run.invocations - run.requests
  count++
  if (values.story) console.log(run.story.join('\n'))
  if (run.violations.length === 0) {
    if (isOne || values['as-is']) console.log(`seed ${seed}: nothing wrong, digest ${run.digest}`)
    continue
  }
  // The search for the shortest history takes a while, or may be interrupted.
  if (!values['as-is']) console.log(`seed ${seed} fails: ${run.violations[0]?.slice(0, 500)}`)
  const shortest = values['as-is'] ? run : await shrink(run, variant)
  const shown = shortest.violations.slice(0, 20)
  console.log(`seed ${seed} fails:\n${shown.map((violation) => `- ${violation.slice(0, 5000)}`).join('\n')}`)
  // Deliveries matter only if the violation is about a delivery. Otherwise they make the story too long to read.
  const isOfDelivery = shortest.violations.some((violation) => violation.includes('deliver'))
  const story = shortest.story.filter((line) => isOfDelivery || !line.includes('  → '))
  if (!values['as-is']) console.log(`the shortest history that still fails:\n${story.join('\n')}`)
  if (!isOne && !values['as-is']) console.log(runAlone(seed))
  console.log(`again: ${command('--seed', String(seed))}`)
  process.exitCode = 1
  break
}
if (!isOne && count > 0) console.log(states.describe())
const missing = states.missing()
// With fewer runs, chance decides which rare states are reached.
if (count >= RUNS_FOR_ALL_STATES && missing.length > 0 && process.exitCode === undefined) {
  console.log(`never reached:\n${missing.map((state) => `- ${state}`).join('\n')}`)
  process.exitCode = 1
}
const { user, system } = process.cpuUsage()
const cpuSeconds = (user + system) / 1e6
console.log(
  `seeds ${first} to ${first + count - 1}: ${count} runs, ${requests} requests and ${otherInvocations} other invocations, ` +
    `${seconds().toFixed(1)} s and ${cpuSeconds.toFixed(1)} s of CPU, with the start: ` +
    `${Math.round(requests / cpuSeconds)} requests a second of CPU`,
)

/** Runs the seed in a process of its own: a failure that needs the runs before it could not be found again. */
function runAlone(seed: number): string {
  const [, main = ''] = process.argv
  const { status } = spawnSync(process.execPath, [main, ...flags, '--seed', String(seed), '--as-is'], {
    env: process.env,
  })
  return status === 0
    ? `seed ${seed} does not fail alone, so it depends on the seeds before it: ${command('--seed', String(first), '--runs', String(count))}`
    : `seed ${seed} also fails alone`
}
