/**
 * `npm run bench`: what the service costs over the least Worker that does the same, and beside other choices.
 * `--quick` runs everything small and judges nothing, as CI does; `--only floor,edge` runs some parts, writes nothing.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benchBatches } from './batches.ts'
import { benchBare, benchEdge, benchFloor } from './floor.ts'
import { benchCost } from './cost.ts'
import { benchGrowth } from './growth.ts'
import { buildBundle } from './host.ts'
import { benchInstances } from './instances.ts'
import { benchOthers } from './others.ts'
import { printReport, type Results, toMarkdown } from './report.ts'
import { benchSize } from './size.ts'
import { latencyChart } from './chart.ts'
import { judge } from './targets.ts'
import { settings } from './settings.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
})
const scale = settings(values.quick)
const parts = values.only?.split(',')
const wants = (part: string) => parts === undefined || parts.includes(part)
const started = Date.now()

progress('bundling')
const bundle = buildBundle('service')
const results: Results = {}
if (wants('floor')) results.floor = await benchFloor(bundle, scale, progress)
if (wants('bare')) results.bare = await benchBare(bundle, scale, progress)
if (wants('edge')) results.edge = await benchEdge(scale, progress)
if (wants('instances')) results.instances = await benchInstances(scale, progress)
if (wants('cost')) results.costs = await benchCost(bundle, scale, progress)
if (wants('batches')) results.batches = await benchBatches(bundle, scale, progress)
if (wants('size')) results.size = await benchSize(bundle, scale, progress)
if (wants('growth')) Object.assign(results, await benchGrowth(bundle, scale, progress))
if (wants('others')) results.others = await benchOthers(scale, progress)

const verdicts = values.quick ? [] : judge(results)
printReport(results, verdicts)
if (!values.quick && parts === undefined) {
  writeFileSync('bench/results.md', toMarkdown(results, verdicts, scale))
  if (results.floor) writeFileSync('bench/latency.svg', latencyChart(results.floor))
  console.log('\nWritten: bench/results.md, bench/latency.svg')
}
console.log(`${Math.round((Date.now() - started) / 1000)} s`)

function progress(step: string): void {
  const seconds = String(Math.round((Date.now() - started) / 1000)).padStart(4)
  console.error(`${seconds} s  ${step}`)
}
