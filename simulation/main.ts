/**
 * `npm run simulate [-- --seed N] [--runs N] [--minutes N]`: fresh seeds, or this one; so many runs, or for so long.
 * What fails is shown with its seed and the shortest history that still fails; then the exit code is 1.
 * `--story` tells all of it, `--as-is` does not look for the shortest.
 */
import { parseArgs } from 'node:util'
import { simulate } from './run.ts'
import { shrink } from './shrink.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string' },
    minutes: { type: 'string' },
    story: { type: 'boolean' },
    'as-is': { type: 'boolean' },
  },
})
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(values.runs ?? (values.seed === undefined && values.minutes === undefined ? 100 : Infinity))
const minutes = Number(values.minutes ?? Infinity)
const isOne = values.seed !== undefined && values.runs === undefined && values.minutes === undefined

const started = process.hrtime.bigint()
const seconds = () => Number(process.hrtime.bigint() - started) / 1e9
let requests = 0
/** Of consumers and crons. */
let others = 0
let count = 0

for (let seed = first; count < (isOne ? 1 : runs) && seconds() < minutes * 60; seed++) {
  const run = await simulate(seed)
  requests += run.requests
  others += run.invocations - run.requests
  count++
  if (values.story) console.log(run.story.join('\n'))
  if (run.violations.length === 0) {
    if (isOne) console.log(`seed ${seed}: nothing wrong, digest ${run.digest}`)
    continue
  }
  const shortest = values['as-is'] ? run : await shrink(run)
  const told = shortest.violations.slice(0, 20)
  console.log(`seed ${seed} fails:\n${told.map((violation) => `- ${violation.slice(0, 5000)}`).join('\n')}`)
  // What was delivered matters where something was not.
  const isOfDelivery = shortest.violations.some((violation) => violation.includes('deliver'))
  const story = shortest.story.filter((line) => isOfDelivery || !line.includes('  → '))
  if (!values['as-is']) console.log(`the shortest history that still fails:\n${story.join('\n')}`)
  console.log(`again: npm run simulate -- --seed ${seed}`)
  process.exitCode = 1
  break
}
const { user, system } = process.cpuUsage()
const ofCpu = (user + system) / 1e6
console.log(
  `seeds ${first} to ${first + count - 1}: ${count} runs, ${requests} requests and ${others} other invocations, ` +
    `${seconds().toFixed(1)} s and ${ofCpu.toFixed(1)} s of CPU, with the start: ` +
    `${Math.round(requests / ofCpu)} requests a second of CPU`,
)
