import './browser-globals.ts'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { jobOf } from '../src/import/job.ts'
import { withBatch } from '../src/import/runs.ts'

/** A request of IndexedDB that succeeds. */
function requestOf(result: unknown): EventTarget {
  const request = Object.assign(new EventTarget(), { result })
  setTimeout(() => request.dispatchEvent(new Event('success')))
  return request
}

const emptyStore = { getAll: () => requestOf([]) }
const database = { transaction: () => ({ objectStore: () => emptyStore }) }
Object.assign(globalThis, { indexedDB: { open: () => requestOf(database) }, IDBKeyRange: { bound: () => undefined } })

it('reads only the first of two files that are dropped at once', async () => {
  const job = jobOf('luna')
  const chosen: unknown[] = []
  job.subscribe(() => chosen.push(job.snapshot().chosen?.file.name))
  const files = ['first.csv', 'second.csv'].map((name) => new File(['name,last_name,email\n'], name))
  await Promise.all(files.map((file) => job.choose(file, { customFields: [], products: [], dates: 'dmy' })))
  assert.deepEqual(new Set(chosen), new Set([undefined, 'first.csv']))
})

it('shows once what a batch changes, although a run that was stopped has kept it before', () => {
  const [first, second, third] = [2, 3, 4].map((line) => ({ line, id: '1', person: 'Ada', before: {}, changes: [] }))
  assert.ok(first && second && third)
  assert.deepEqual(withBatch([first, second], [second]), [first, second])
  assert.deepEqual(withBatch([first, second], [third]), [first, second, third])
  assert.deepEqual(withBatch([], [first]), [first])
})
