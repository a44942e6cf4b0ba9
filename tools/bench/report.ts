/** Each table is defined once, for the terminal and for Markdown, so that the two cannot differ. */
import { cpus } from 'node:os'
import type { Place } from '../../src/db/places.ts'
import type { Batches } from './batches.ts'
import { type Cost, prices } from './cost.ts'
import type { Fairness } from './fairness.ts'
import type { Comparison } from './floor.ts'
import type { Growth } from './growth.ts'
import { WITH_TARGET } from './operations.ts'
import type { Results } from './results.ts'
import type { Settings } from './settings.ts'
import type { Size } from './size.ts'
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

function tables(results: Results, targets: TargetResult[]): Table[] {
  const { floor, cost, batches, size, growth, fairness } = results
  return [
    ...summary(results),
    ...(targets.length > 0 ? [targetsTable(targets)] : []),
    ...(floor ? [floorTable(floor)] : []),
    ...(cost ? [costTable(cost)] : []),
    ...(batches ? [batchesTable(batches)] : []),
    ...(growth ? [growthTable(growth)] : []),
    ...(size ? [sizeTable(size)] : []),
    ...(fairness ? [fairnessTable(fairness)] : []),
  ]
}

/** What docs/engineers.md shows of the run (scripts/generated-files.ts). Only a complete run has it. */
function summary({ floor, cost, batches, size, growth, fairness }: Results): Table[] {
  if (!floor || !cost || !batches || !size || !growth || !fairness) return []
  const crowded = (place: Place) => floor.filter((each) => each.place === place && each.connections === 16)
  const rates = (place: Place) =>
    crowded(place)
      .filter(({ operation }) => WITH_TARGET.has(operation))
      .map(({ operation, ratio }) => `${operation} ${ratio.throughput.toFixed(2)}`)
      .join(', ')
  const dollars = ['create', 'update access', 'move due date'].flatMap((name) =>
    cost.filter(({ operation }) => operation === name).map((each) => each.dollarsPerMillion.toFixed(2)),
  )
  const creates = growth.filter(({ operation }) => operation === 'create')
  const [fewest, most] = [creates[0], creates.at(-1)]
  const slowest = fairness.attacks.toSorted((a, b) => b.ratio - a.ratio)[0]
  return [
    {
      title: 'Summary',
      note: '',
      head: ['the last run', 'figure'],
      rows: [
        ['throughput relative to the floor, 16 connections, in D1', rates('shared')],
        ['the same in a database of its own', rates('own')],
        ['dollars per million creates, updates, moved due dates', dollars.join(', ')],
        ['users per second in batches, relative to single creates', `${batches.ratio.toFixed(1)} times`],
        [`import of ${whole(batches.imported.users)} users`, `${batches.imported.seconds.toFixed(0)} s`],
        ['bundle, gzip, without 11 KiB of WebAssembly', `${(size.gzipBytes / 1024).toFixed(1)} KiB`],
        ['cold start, relative to the same stack without the service', `× ${size.coldStart.ratio.toFixed(2)}`],
        [
          `p50 of a create among ${whole(most?.users ?? 0)} users, relative to one among ${whole(fewest?.users ?? 0)}`,
          `× ${((most?.p50 ?? Number.NaN) / (fewest?.p50 ?? Number.NaN)).toFixed(2)}`,
        ],
        [
          'p50 of an update while another store attacks, relative to the usual: the worst attack',
          `× ${slowest?.ratio.toFixed(1) ?? ''} (${slowest?.attack ?? ''})`,
        ],
      ],
    },
  ]
}

function targetsTable(targets: TargetResult[]): Table {
  return {
    title: 'Targets',
    note: "They come from a run's figures, with room for noise, so that a service that gets worse misses them.",
    head: ['target', 'measured', ''],
    rows: targets.map(({ target, measured, reached }) => [target, measured, reached ? 'reached' : 'missed']),
  }
}

function floorTable(comparisons: Comparison[]): Table {
  return {
    title: 'Compared with the floor',
    note: 'The floor is a minimal Worker that does the same and is written by hand (tools/bench/workers/floor.ts). It checks the token in its one batch, which can be sent twice, writes the same rows with constant SQL, makes the same KV calls, returns the same responses and headers, writes a log line and has the same deadline for the database. It has no framework, no validation and no rate limit. Throughput is in requests per second, latency in ms; each ratio is the median of the ratios of interleaved rounds. A mistyped token is rejected without I/O. A store with the place `own` has an object of its own.',
    head: [
      'operation',
      'place',
      'conn.',
      'ours /s',
      'floor /s',
      'ratio',
      'ours p50',
      'floor p50',
      'p50 ratio',
      'ours p99',
      'floor p99',
      'p99 ratio',
    ],
    rows: comparisons.map(({ operation, place, connections, ours, floor, ratio }) => [
      operation,
      place,
      String(connections),
      whole(ours.throughput),
      whole(floor.throughput),
      ratio.throughput.toFixed(2),
      ms(ours.p50),
      ms(floor.p50),
      ratio.p50.toFixed(2),
      ms(ours.p99),
      ms(floor.p99),
      ratio.p99.toFixed(2),
    ]),
  }
}

function costTable(costs: Cost[]): Table {
  return {
    title: 'Cost',
    note: `Figures are per operation; the floor makes the same round trips and writes the same rows. CPU time comes from a profile of the isolate, which includes workerd's code for the bindings but not its local D1. Prices: ${prices.plan}, as of ${prices.date}.`,
    head: ['operation', 'D1 trips', 'rows read', 'rows written', 'KV reads', 'KV writes', 'CPU ms', '$ per million'],
    rows: costs.map((cost) => [
      cost.operation,
      ...[cost.roundTrips, cost.rowsRead, cost.rowsWritten, cost.kvReads, cost.kvWrites].map(decimal),
      ms(cost.cpuMs),
      cost.dollarsPerMillion.toFixed(2),
    ]),
  }
}

function batchesTable({ single, batched, ratio, imported }: Batches): Table {
  return {
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
  }
}

function growthTable(growth: Growth[]): Table {
  return {
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
  }
}

function sizeTable({ bytes, gzipBytes, coldStart }: Size): Table {
  return {
    title: 'Size',
    note: 'Cold start is the time until the first response of a new isolate, measured in turns with an empty Worker and with the stack alone (tools/bench/workers/stack.ts).',
    head: ['minified', 'gzip', 'cold start', 'of an empty Worker', 'of the stack', 'ratio to the stack'],
    rows: [
      [
        `${decimal(bytes / 1024)} KiB`,
        `${decimal(gzipBytes / 1024)} KiB`,
        ...[coldStart.ours, coldStart.empty, coldStart.stack].map((value) => `${ms(value)} ms`),
        `× ${coldStart.ratio.toFixed(2)}`,
      ],
    ],
  }
}

function fairnessTable({ seconds, users, hash, attacks }: Fairness): Table {
  return {
    title: 'Fairness',
    note: `The plain update of an access in one store, while tokens of another store attack for ${seconds} s. A store that is large has ${whole(users)} users. A create with a password takes ${whole(hash.median)} ms here, at most ${whole(hash.longest)}.`,
    head: ['attack', 'p50 before', 'p50 during', 'ratio', 'worst', 'responses to the attacker'],
    rows: attacks.map(({ attack, before, during, ratio, worst, statuses }) => [
      attack,
      ms(before),
      ms(during),
      `× ${ratio.toFixed(1)}`,
      `${whole(worst)} ms`,
      [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
    ]),
  }
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
  const { rounds, milliseconds, warmUpMs } = settings
  const intro = `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${versions}; the load generator shares them. The production bundle runs in workerd under Miniflare, with a direct socket and with D1 and KV as Miniflare simulates them. The figures are medians of ${rounds} interleaved rounds of ${milliseconds} ms, after ${warmUpMs} ms that are not measured. With 16 connections both cores are busy, so a latency mostly shows how long the queue is. The rate limiters allow everything, because those of Miniflare write to a database at each call, which the real ones do not. Compare figures only within one run on one machine.`
  return `# Bench results\n\n${intro}\n\n${parts.join('\n\n')}\n`
}
