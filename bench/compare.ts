/** Compares the service with the floor in rounds and in turns, because the speed of the machine drifts. */
import { type Load, load, median } from './load.ts'
import type { Operation, Side } from './operations.ts'

export interface Comparison {
  operation: string
  connections: number
  ours: Omit<Load, 'requests'>
  floor: Omit<Load, 'requests'>
  /** The median over the rounds of service / floor. Above 1 the service has more throughput, or a longer latency. */
  ratio: { throughput: number; p50: number; p99: number }
  /** The median over the rounds of the service's p50 minus the floor's, in ms. */
  difference: number
}

export interface CompareOptions {
  origins: { ours: string; floor: string }
  connections: number
  rounds: number
  milliseconds: number
  warmUpMs: number
}

export async function compare(operation: Operation, options: CompareOptions): Promise<Comparison> {
  const { origins, connections, rounds, milliseconds, warmUpMs } = options
  const measured: Record<Side, Load[]> = { ours: [], floor: [] }
  const measure = (side: Side, time: number) =>
    load({
      origin: origins[side],
      connections,
      milliseconds: time,
      next: () => operation.next(side),
      status: operation.status,
    })
  // V8 compiles for thousands of requests. Without a warm-up, the first rounds would measure the compiler.
  await measure('floor', warmUpMs)
  await measure('ours', warmUpMs)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['floor', 'ours'] as const) : (['ours', 'floor'] as const)
    for (const side of order) measured[side].push(await measure(side, milliseconds))
  }
  const ratioOf = (figure: keyof Load) =>
    median(measured.ours.map((ours, round) => ours[figure] / (measured.floor[round]?.[figure] ?? Number.NaN)))
  return {
    operation: operation.name,
    connections,
    ours: medians(measured.ours),
    floor: medians(measured.floor),
    ratio: { throughput: ratioOf('throughput'), p50: ratioOf('p50'), p99: ratioOf('p99') },
    difference: median(measured.ours.map((ours, round) => ours.p50 - (measured.floor[round]?.p50 ?? Number.NaN))),
  }
}

function medians(loads: Load[]): Omit<Load, 'requests'> {
  return {
    throughput: median(loads.map((each) => each.throughput)),
    p50: median(loads.map((each) => each.p50)),
    p99: median(loads.map((each) => each.p99)),
  }
}
