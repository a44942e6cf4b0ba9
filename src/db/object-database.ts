/**
 * The database of one store: the SQLite database of a Durable Object, which runs a batch like D1
 * (src/modules/store-database/object.ts).
 */
import { pause } from '../lib/pause.ts'
import type { BoundStatement, Cost, Database } from './database.ts'

export interface BatchResult {
  rows: Record<string, SqlStorageValue>[][]
  rowsRead: number
  rowsWritten: number
  bytes: number
}

export interface StoreObject {
  batch: (statements: BoundStatement[]) => Promise<BatchResult>
  wake: () => Promise<void>
}

/** Each batch gets a stub of its own, because a stub that has thrown stays broken. */
export function objectDatabase(store: number, getStub: () => StoreObject): Database {
  return {
    name: 'object',
    holds: (number) => number === store,
    async batch(statements, cost) {
      cost.roundTrips++
      const result = await getStub().batch([...statements])
      return addCost(cost, result)
    },
  }
}

/**
 * The same database, for the jobs that run inside its object. They pause before each batch: requests are served meanwhile,
 * and the clock goes on, which stands still in Workers while they compute.
 */
export function localDatabase(storage: DurableObjectStorage): Database {
  return {
    name: 'object',
    // It has one store, whose number is in the rows.
    holds: () => true,
    async batch(statements, cost) {
      cost.roundTrips++
      await pause(0)
      return addCost(cost, runBatch(storage, statements))
    },
  }
}

/** All statements or none. Nothing else runs in the object meanwhile. */
export function runBatch(storage: DurableObjectStorage, statements: readonly BoundStatement[]): BatchResult {
  const { sql } = storage
  const result: BatchResult = { rows: [], rowsRead: 0, rowsWritten: 0, bytes: 0 }
  storage.transactionSync(() => {
    for (const { text, values } of statements) {
      const cursor = sql.exec(text, ...values)
      result.rows.push(cursor.toArray())
      result.rowsRead += cursor.rowsRead
      result.rowsWritten += cursor.rowsWritten
    }
  })
  return { ...result, bytes: sql.databaseSize }
}

function addCost(cost: Cost, { rows, rowsRead, rowsWritten, bytes }: BatchResult): unknown[][] {
  cost.rowsRead += rowsRead
  cost.rowsWritten += rowsWritten
  cost.bytes = bytes
  return rows
}
