import './browser-globals.ts'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { jobOf } from '../src/import/job.ts'

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
