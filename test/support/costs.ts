/** Measures what Cloudflare bills for requests, and how D1 searches. */
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Answer } from './openapi.ts'
import { summary } from './api.ts'
import { recordLog } from './console.ts'
import { faultyD1, faultyKv, type SentStatement } from './faults.ts'

export interface Cost {
  outcome: string
  trips: number
  written: number
  kvReads: number
  kvWrites: number
  /** What follows the response. */
  later: { trips: number; written: number }
}

export type Send = (bindings: object) => Promise<Answer>

/** Returns the cost of one request as the wrappers count it, and checks that its log line contains the same numbers. */
export async function measure(send: Send): Promise<Cost & { read: number; statements: SentStatement[] }> {
  const { DB, roundTrips, rowsRead, rowsWritten, statements, later } = faultyD1(env.DB)
  const { REPLAYS, reads, writes } = faultyKv(env.REPLAYS)
  let outcome = ''
  const [line] = await recordLog(async () => {
    outcome = summary(await send({ DB, REPLAYS }))
  })
  expect(line).toMatchObject({
    d1_round_trips: roundTrips(),
    d1_rows_read: rowsRead(),
    d1_rows_written: rowsWritten(),
  })
  return {
    outcome,
    trips: roundTrips(),
    read: rowsRead(),
    written: rowsWritten(),
    kvReads: reads(),
    kvWrites: writes(),
    later: later(),
    statements: statements(),
  }
}

export async function planOf({ sql, params }: SentStatement): Promise<string[]> {
  const { results } = await env.DB.prepare(`explain query plan ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}

/** Returns the query plans of all statements of a request. */
export async function plansOf(send: Send): Promise<string[]> {
  const { statements } = await measure(send)
  expect(statements).not.toEqual([])
  return (await Promise.all(statements.map(planOf))).flat()
}
