/** Each table is defined once, for the terminal and for Markdown, so that the two cannot differ. */
import { cpus } from 'node:os'
import type { Comparison } from './compare.ts'
import { prices } from './cost.ts'
import type { Results } from './results.ts'
import type { Settings } from './settings.ts'
import type { TargetResult } from './targets.ts'

interface Table {
  title: string
  note: string
  head: string[]
  rows: string[][]
}

const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const decimal = (value: number) => String(Number(value.toFixed(3)))

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
  { floor, bare, edge, instances, costs, batches, bulk, places, size, growth, screens, others }: Results,
  targets: TargetResult[],
): Table[] {
  const all: Table[] = []
  if (targets.length > 0) {
    all.push({
      title: 'Targets',
      note: '',
      head: ['target', 'measured', ''],
      rows: targets.map(({ target, measured, reached }) => [target, measured, reached ? 'reached' : 'missed']),
    })
  }
  if (floor) {
    const note =
      'The floor is a minimal Worker that does the same and is written by hand (bench/workers/floor.ts). It checks the token in its one batch, which can be sent twice, writes the same rows with constant SQL, makes the same KV calls, returns the same responses and headers, writes a log line and has the same deadline for D1. It has no framework, no validation and no rate limit. Throughput is in requests per second, latency in ms; each ratio is the median of the ratios of interleaved rounds. A mistyped token is rejected without I/O.'
    all.push(comparisonTable('Compared with the floor', note, floor))
  }
  if (bare) {
    const note =
      'The bare floor has no log line, no deadline and no common headers, so these figures show what every response costs. They have no targets.'
    all.push(comparisonTable('Compared with the bare floor', note, bare))
  }
  if (edge) {
    const note =
      'Each D1 round trip takes 30 ms longer, as it does for a Worker far from its database. With 16 connections both cores are busy, and most of the latency is waiting for one.'
    all.push(comparisonTable('On the edge', note, edge))
  }
  if (instances) {
    all.push({
      title: 'Cold and warm instances',
      note: 'p50 of one create in ms, with each D1 round trip 30 ms longer.',
      head: ['an instance that', 'ours', 'floor'],
      rows: instances.map((each) => [each.state, ms(each.ours), ms(each.floor)]),
    })
  }
  if (costs) {
    all.push({
      title: 'Cost',
      note: `Figures are per operation; the floor makes the same round trips and writes the same rows. CPU time comes from a profile of the isolate, which includes workerd's code for the bindings but not its local D1. Prices: ${prices.plan}, as of ${prices.date}.`,
      head: ['operation', 'D1 trips', 'rows read', 'rows written', 'KV reads', 'KV writes', 'CPU ms', '$ per million'],
      rows: costs.map((cost) => [
        cost.operation,
        ...[cost.roundTrips, cost.rowsRead, cost.rowsWritten, cost.kvReads, cost.kvWrites].map(decimal),
        ms(cost.cpuMs),
        cost.dollarsPerMillion.toFixed(2),
      ]),
    })
  }
  if (batches) {
    const { single, batched, ratio, imported } = batches
    all.push({
      title: 'Batches and import',
      note: 'Users per second: single creates with 16 connections, and batches of 100 one after another, in turns. Then `npm run import` with a CSV file, one batch after another; each user has an external id and an event.',
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
  if (bulk) {
    all.push({
      title: 'Bulk changes',
      note: 'Every access of a store, and meanwhile the update of an access in another store, one after another.',
      head: ['bulk change', 'accesses', 'seconds', 'p50 ms of the update before', 'meanwhile', 'ratio'],
      rows: bulk.map(({ name, accesses, seconds, before, during }) => [
        name,
        whole(accesses),
        seconds.toFixed(1),
        ms(before),
        ms(during),
        (during / before).toFixed(2),
      ]),
    })
  }
  if (places) {
    const { comparisons, neighbors } = places
    const rate = (value: number | undefined) => (value === undefined ? '-' : whole(value))
    const ratio = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(2))
    all.push(
      {
        title: 'A store with a database of its own',
        note: 'Requests per second in a store with an object of its own and in a store in D1, and of their floors, in turns. The floor has no reads.',
        head: ['operation', 'conn.', 'own /s', 'its floor /s', 'ratio', 'D1 /s', 'its floor /s', 'ratio', 'own / D1'],
        rows: comparisons.map(({ operation, connections, throughput, ratios }) => [
          operation,
          String(connections),
          rate(throughput.own),
          rate(throughput['own floor']),
          ratio(ratios.own),
          rate(throughput.shared),
          rate(throughput['shared floor']),
          ratio(ratios.shared),
          ratio(ratios.ownToShared),
        ]),
      },
      {
        title: 'One store under full load',
        note: 'p50 in ms of a create in the other stores, one after another, while 16 connections create users in one store: served by another process, and by the same one. workerd serves all stores of a process on one thread; Cloudflare does not.',
        head: ['stores', 'place', 'p50, load in another process', 'in the same process', 'ratio'],
        rows: neighbors.map(({ place, stores, apart, together, ratio: times }) => [
          whole(stores),
          place,
          ms(apart),
          ms(together),
          times.toFixed(2),
        ]),
      },
    )
  }
  if (growth) {
    all.push({
      title: 'Growth',
      note: 'One connection; all users are in one store, each with 2 KB of custom fields, an access and four events; pages have 50 records.',
      head: ['operation', 'users', 'p50 ms', 'p99 ms', 'rows read'],
      rows: growth
        .toSorted((a, b) => a.operation.localeCompare(b.operation))
        .map(({ operation, users, p50, p99, rowsRead }) => [
          operation,
          whole(users),
          ms(p50),
          ms(p99),
          decimal(rowsRead),
        ]),
    })
  }
  if (screens) {
    all.push({
      title: 'Screens of the console',
      note: 'All requests of a screen when it opens, one after another, in the same stores.',
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
      note: 'Cold start is the time until the first response of a new isolate, measured in turns with an empty Worker and with the stack alone (bench/workers/stack.ts).',
      head: ['minified', 'gzip', 'cold start', 'of an empty Worker', 'of the stack', 'ratio to the stack'],
      rows: [
        [
          `${decimal(bytes / 1024)} KiB`,
          `${decimal(gzipBytes / 1024)} KiB`,
          ...[coldStart.ours, coldStart.empty, coldStart.stack].map((value) => `${ms(value)} ms`),
          `× ${coldStart.ratio.toFixed(2)}`,
        ],
      ],
    })
  }
  if (others && others.length > 0) {
    all.push({
      title: 'Compared with other software',
      note: 'The same create and update with other software and 16 connections; the last column with one connection and 30 ms per round trip. See bench/others/ for what each does.',
      head: [
        'software',
        'operation',
        'requests /s',
        'p50 ms',
        'D1 trips',
        'rows written',
        'p50 ms with 30 ms per trip',
      ],
      rows: others.map((other) => [
        other.name,
        other.operation,
        whole(other.throughput),
        ms(other.p50),
        other.roundTrips === undefined ? 'in process' : decimal(other.roundTrips),
        other.rowsWritten === undefined ? '-' : decimal(other.rowsWritten),
        other.edgeP50 === undefined ? '-' : ms(other.edgeP50),
      ]),
    })
  }
  return all
}

export function printReport(results: Results, targets: TargetResult[]): void {
  for (const { title, head, rows } of tables(results, targets)) {
    const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)))
    const line = (cells: string[]) =>
      cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
    console.log(`\n${title}\n${[head, ...rows].map(line).join('\n')}`)
  }
}

export function toMarkdown(results: Results, targets: TargetResult[], settings: Settings): string {
  const versions = `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${process.platform}`
  const parts = tables(results, targets).map(({ title, note, head, rows }) =>
    [
      `## ${title}`,
      ...(note === '' ? [] : [note]),
      [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
    ].join('\n\n'),
  )
  const { rounds, milliseconds, crowded, warmUpMs } = settings
  const intro = `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${versions}; the load generator shares them. The production bundle runs in workerd under Miniflare, with a direct socket and with D1 and KV as Miniflare simulates them. The figures are medians of ${rounds} interleaved rounds of ${milliseconds} ms, after ${warmUpMs} ms that are not measured. Operations with a target have ${crowded.rounds} rounds of ${crowded.milliseconds} ms at ${crowded.connections} connections, because both cores are busy then and the p50 of single rounds varies by several ms. The rate limiters allow everything, because those of Miniflare write to a database at each call, which the real ones do not. Compare figures only within one run on one machine.`
  return `# Bench results\n\n${intro}\n\n${parts.join('\n\n')}\n`
}
