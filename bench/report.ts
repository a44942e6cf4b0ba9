/** The figures as tables: one definition of each, printed on the terminal and written as Markdown. */
import { cpus } from 'node:os'
import type { Batches } from './batches.ts'
import type { Comparison } from './compare.ts'
import { type Cost, prices } from './cost.ts'
import type { Growth } from './growth.ts'
import type { Instance } from './instances.ts'
import type { Other } from './others.ts'
import type { Screen } from './screens.ts'
import type { Settings } from './settings.ts'
import type { Size } from './size.ts'
import type { Verdict } from './targets.ts'

export interface Results {
  floor?: Comparison[]
  bare?: Comparison[]
  edge?: Comparison[]
  instances?: Instance[]
  costs?: Cost[]
  batches?: Batches
  size?: Size
  growth?: Growth[]
  screens?: Screen[]
  /** Empty where they could not be installed. */
  others?: Other[]
}

interface Table {
  title: string
  note: string
  head: string[]
  rows: string[][]
}

const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const figure = (value: number) => String(Number(value.toFixed(3)))

function comparisonTable(title: string, note: string, comparisons: Comparison[]): Table {
  return {
    title,
    note,
    head: [
      'operation',
      'conn.',
      'ours /s',
      'floor /s',
      'ratio',
      'ours p50',
      'floor p50',
      'difference',
      'p50 ratio',
      'ours p99',
      'floor p99',
      'p99 ratio',
    ],
    rows: comparisons.map(({ operation, connections, ours, floor, ratio, difference }) => [
      operation,
      String(connections),
      whole(ours.throughput),
      whole(floor.throughput),
      ratio.throughput.toFixed(2),
      ms(ours.p50),
      ms(floor.p50),
      ms(difference),
      ratio.p50.toFixed(2),
      ms(ours.p99),
      ms(floor.p99),
      ratio.p99.toFixed(2),
    ]),
  }
}

function tables(
  { floor, bare, edge, instances, costs, batches, size, growth, screens, others }: Results,
  verdicts: Verdict[],
): Table[] {
  const all: Table[] = []
  if (verdicts.length > 0) {
    all.push({
      title: 'Targets',
      note: '',
      head: ['target', 'measured', ''],
      rows: verdicts.map(({ target, measured, reached }) => [target, measured, reached ? 'reached' : 'missed']),
    })
  }
  if (floor) {
    const note =
      'The floor is the least Worker that does the same (bench/workers/floor.ts), by hand: it checks the token inside its one batch, which can be sent twice, writes the same rows with constant SQL, makes the same KV calls, gives the same answers and headers, writes a log line and waits for D1 no longer than the service; no framework, no validation, no rate limit. Throughput in requests a second, latency in ms; each ratio is the median of the ratios of interleaved rounds. A mistyped token is refused without any I/O.'
    all.push(comparisonTable('Against the floor', note, floor))
  }
  if (bare) {
    const note =
      'What every answer owes, whatever it is: beside the floor without its log line, its deadline and the headers of every answer. Nothing is asked of these ratios.'
    all.push(comparisonTable('Against the bare floor', note, bare))
  }
  if (edge) {
    const note =
      'The same with each D1 round trip 30 ms longer, as it is for a Worker far from its database. With 16 connections both cores are full, and the latency is that of waiting for one.'
    all.push(comparisonTable('On the edge', note, edge))
  }
  if (instances) {
    all.push({
      title: 'Cold and warm instances',
      note: 'p50 of one create in ms, each D1 round trip 30 ms longer.',
      head: ['an instance that', 'ours', 'floor'],
      rows: instances.map(({ state, ours, floor }) => [state, ms(ours), ms(floor)]),
    })
  }
  if (costs) {
    all.push({
      title: 'Cost',
      note: `Per operation; the floor makes the same trips and writes the same rows. CPU time from a profile of the isolate: workerd's code for the bindings is in it, its local D1 is not. Dollars: ${prices.plan}, as of ${prices.date}.`,
      head: ['operation', 'D1 trips', 'rows read', 'rows written', 'KV reads', 'KV writes', 'CPU ms', '$ per million'],
      rows: costs.map((cost) => [
        cost.operation,
        ...[cost.roundTrips, cost.rowsRead, cost.rowsWritten, cost.kvReads, cost.kvWrites].map(figure),
        ms(cost.cpuMs),
        cost.dollarsPerMillion.toFixed(2),
      ]),
    })
  }
  if (batches) {
    const { single, batched, ratio, imported } = batches
    all.push({
      title: 'Many at once',
      note: 'Users a second: single creates at 16 connections, batches of 100 at 4, in turns. Then `npm run import` with a CSV file, one batch after another; each user has an external id and an event.',
      head: ['single /s', 'in batches /s', 'ratio', 'imported', 'seconds', 'users /s'],
      rows: [
        [
          whole(single),
          whole(batched),
          ratio.toFixed(1),
          whole(imported.users),
          imported.seconds.toFixed(1),
          whole(imported.users / imported.seconds),
        ],
      ],
    })
  }
  if (growth) {
    all.push({
      title: 'Growth',
      note: 'One connection, all users in one store, each with 2 KB of custom fields, an access and four events; pages of 50.',
      head: ['operation', 'users', 'p50 ms', 'p99 ms', 'rows read'],
      rows: growth
        .toSorted((a, b) => a.operation.localeCompare(b.operation))
        .map(({ operation, users, p50, p99, rowsRead }) => [
          operation,
          whole(users),
          ms(p50),
          ms(p99),
          figure(rowsRead),
        ]),
    })
  }
  if (screens) {
    all.push({
      title: 'Screens of the console',
      note: 'All that a screen asks when it is opened, one request after the other, in the same stores.',
      head: ['screen', 'users', 'requests', 'ms', 'rows read'],
      rows: screens
        .toSorted((a, b) => a.screen.localeCompare(b.screen))
        .map(({ screen, users, requests, time, rowsRead }) => [
          screen,
          whole(users),
          String(requests),
          ms(time),
          whole(rowsRead),
        ]),
    })
  }
  if (size) {
    const { bytes, gzipBytes, coldStart } = size
    all.push({
      title: 'Size',
      note: 'Cold start: until the first answer of a fresh isolate, in turns with an empty Worker and with the stack alone (bench/workers/stack.ts).',
      head: ['minified', 'gzip', 'cold start', 'of an empty Worker', 'of the stack', 'of the stack, turn by turn'],
      rows: [
        [
          `${figure(bytes / 1024)} KiB`,
          `${figure(gzipBytes / 1024)} KiB`,
          ...[coldStart.ours, coldStart.empty, coldStart.stack].map((value) => `${ms(value)} ms`),
          `× ${coldStart.ratio.toFixed(2)}`,
        ],
      ],
    })
  }
  if (others && others.length > 0) {
    all.push({
      title: 'Beside others',
      note: 'The same create and update with other choices, 16 connections; the last column with one connection and 30 ms a round trip. See bench/others/ for what each does.',
      head: ['choice', 'operation', 'requests /s', 'p50 ms', 'D1 trips', 'rows written', 'p50 ms at 30 ms a trip'],
      rows: others.map((other) => [
        other.name,
        other.operation,
        whole(other.throughput),
        ms(other.p50),
        other.roundTrips === undefined ? 'in process' : figure(other.roundTrips),
        other.rowsWritten === undefined ? '-' : figure(other.rowsWritten),
        other.edgeP50 === undefined ? '-' : ms(other.edgeP50),
      ]),
    })
  }
  return all
}

export function printReport(results: Results, verdicts: Verdict[]): void {
  for (const { title, head, rows } of tables(results, verdicts)) {
    const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)))
    const line = (cells: string[]) =>
      cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
    console.log(`\n${title}\n${[head, ...rows].map(line).join('\n')}`)
  }
}

export function toMarkdown(results: Results, verdicts: Verdict[], settings: Settings): string {
  const versions = `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${process.platform}`
  const parts = tables(results, verdicts).map(({ title, note, head, rows }) =>
    [
      `## ${title}`,
      ...(note === '' ? [] : [note]),
      [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
    ].join('\n\n'),
  )
  const { rounds, milliseconds, crowded, warmUpMs } = settings
  const intro = `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${versions}; the load generator shares them. The production bundle in workerd under Miniflare, a direct socket, D1 and KV as Miniflare simulates them; medians of ${rounds} interleaved rounds of ${milliseconds} ms, after ${warmUpMs} ms that are not measured; what is judged at ${crowded.connections} connections, where both cores are full and the p50 of one round is off by several ms, is the median of ${crowded.rounds} rounds of ${crowded.milliseconds} ms. The rate limiters are stand-ins that let everything pass, because Miniflare's write to a database at each call, which the real ones do not. Compare figures within one run, not with another machine's.`
  return `# Bench results\n\n${intro}\n\n${parts.join('\n\n')}\n`
}
