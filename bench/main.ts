/**
 * `npm run bench` compares the service with the floor (a minimal Worker that does the same) and with other software.
 * `--quick` runs everything with little load and checks no target, as CI does, because its figures mean nothing.
 * `--only floor,edge` runs some parts and writes no file.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benchBatches } from './batches.ts'
import { benchBulk } from './bulk.ts'
import { benchBare, benchEdge, benchFloor } from './floor.ts'
import { benchCost } from './cost.ts'
import { benchGrowth } from './growth.ts'
import { buildBundle } from './host.ts'
import { benchInstances } from './instances.ts'
import { benchOthers } from './others.ts'
import { benchPlaces } from './places.ts'
import { printReport, toMarkdown } from './report.ts'
import type { Results } from './results.ts'
import { benchSize } from './size.ts'
import { latencyChart } from './chart.ts'
import { checkTargets } from './targets.ts'
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
if (wants('bulk')) results.bulk = await benchBulk(bundle, scale, progress)
if (wants('places')) results.places = await benchPlaces(bundle, scale, progress)
if (wants('size')) results.size = await benchSize(bundle, scale, progress)
if (wants('growth')) Object.assign(results, await benchGrowth(bundle, scale, progress))
if (wants('others')) results.others = await benchOthers(scale, progress)

const targets = values.quick ? [] : checkTargets(results)
printReport(results, targets)
if (!values.quick && parts === undefined) {
  writeFileSync('bench/results.md', toMarkdown(results, targets, scale))
  if (results.floor) writeFileSync('bench/latency.svg', latencyChart(results.floor))
  console.log('\nWritten: bench/results.md, bench/latency.svg')
}
console.log(`${Math.round((Date.now() - started) / 1000)} s`)

function progress(step: string): void {
  const seconds = String(Math.round((Date.now() - started) / 1000)).padStart(4)
  console.error(`${seconds} s  ${step}`)
}
