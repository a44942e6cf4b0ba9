/**
 * `npm run bench` measures the service next to the floor, a minimal Worker that does the same, and writes tools/bench/results.md
 * and the table of docs/engineers.md. It takes about a quarter of an hour on two cores, on which nothing else may run, and
 * fails if a target is missed. `--quick` runs everything with little load and checks no target, because its figures mean
 * nothing. `--only floor,cost` runs some parts and writes no file; `--seconds 60` is the length of each attack.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benchBatches } from './batches.ts'
import { benchCost } from './cost.ts'
import { benchFairness } from './fairness.ts'
import { benchFloor } from './floor.ts'
import { benchGrowth } from './growth.ts'
import { buildBundle } from './host.ts'
import { printReport, toMarkdown } from './report.ts'
import type { Results } from './results.ts'
import { settings } from './settings.ts'
import { benchSize } from './size.ts'
import { checkTargets } from './targets.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, seconds: { type: 'string' } },
})
const scale = settings(values.quick)
if (values.seconds !== undefined) scale.attackSeconds = Number(values.seconds)
const parts = values.only?.split(',')
const wants = (part: keyof Results) => parts === undefined || parts.includes(part)
const started = Date.now()

progress('bundling')
const bundle = buildBundle('service')
const results: Results = {}
if (wants('floor')) results.floor = await benchFloor(bundle, scale, progress)
if (wants('cost')) results.cost = await benchCost(bundle, scale, progress)
if (wants('batches')) results.batches = await benchBatches(bundle, scale, progress)
if (wants('size')) results.size = await benchSize(bundle, scale, progress)
if (wants('growth')) results.growth = await benchGrowth(bundle, scale, progress)
if (wants('fairness')) results.fairness = await benchFairness(bundle, scale, progress)

const targets = values.quick ? [] : checkTargets(results)
printReport(results, targets)
if (!values.quick && parts === undefined) {
  writeFileSync('tools/bench/results.md', toMarkdown(results, targets, scale))
  execFileSync(process.execPath, ['scripts/generate.ts'])
  console.log('\nWritten: tools/bench/results.md, docs/engineers.md')
}
console.log(`\n${Math.round((Date.now() - started) / 1000)} s`)
for (const { target, measured } of targets.filter(({ reached }) => !reached)) {
  console.error(`Missed: ${target}. It is ${measured}.`)
  process.exitCode = 1
}

function progress(step: string): void {
  const seconds = String(Math.round((Date.now() - started) / 1000)).padStart(4)
  console.error(`${seconds} s  ${step}`)
}
