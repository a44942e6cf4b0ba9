/** Rows of one person are applied in their order, and never in one batch, whatever stands between them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { batchesOf, type Position } from '../batches.ts'
import { columnsOf } from '../columns.ts'
import type { CsvRow } from '../read.ts'

const HEADER = ['name', 'last_name', 'email', 'password']
type Mode = 'fail' | 'update' | 'waiting'
const columns = columnsOf({ format: 'csv', header: HEADER })

/** A row for each person, of which some are faulty, or have a password. */
async function* rowsOf(people: string[]): AsyncGenerator<CsvRow> {
  for (const [i, person] of people.entries()) {
    const password = person.startsWith('p') ? 'correct horse' : ''
    const problem = { code: 'width', column: '', explanation: '' } as const
    yield {
      line: i + 2,
      cells: ['A', 'B', `${person}@example.com`, password],
      ...(person === 'faulty' && { problem }),
    }
  }
}

async function collect(people: string[], mode: Mode = 'waiting', from?: Position) {
  const onExisting = mode === 'fail' ? 'fail' : 'update'
  const options = { onExisting, mayWait: mode === 'waiting' } as const
  const batches: { indexes: number[]; waiting: number[] }[] = []
  for await (const { rows, waiting } of batchesOf(rowsOf(people), columns, options, from))
    batches.push({ indexes: rows.map(({ index }) => index), waiting })
  return batches
}

describe('Batches', () => {
  it('are full if each of many people has three rows, one behind the other', async () => {
    const people = Array.from({ length: 450 }, (_, i) => `a${Math.floor(i / 3)}`)
    const sizes = (await collect(people)).map(({ indexes }) => indexes.length)
    assert.deepEqual(sizes, [100, 100, 100, 50, 50, 50])
  })

  it('keep the order of the file if nobody has two rows, or if no row may wait', async () => {
    const people = Array.from({ length: 250 }, (_, i) => `a${i}`)
    assert.deepEqual(
      (await collect(people)).flatMap(({ indexes }) => indexes),
      [...people.keys()],
    )
    const repeated = Array.from({ length: 250 }, (_, i) => `a${i % 3}`)
    assert.deepEqual(
      (await collect(repeated, 'update')).flatMap(({ indexes }) => indexes),
      [...people.keys()],
    )
    assert.deepEqual(
      (await collect(repeated, 'fail')).flatMap(({ indexes }) => indexes),
      [...people.keys()],
    )
  })

  it('let no more than a thousand rows wait', async () => {
    const people = [...Array.from({ length: 2500 }, () => 'same'), ...Array.from({ length: 99 }, (_, i) => `a${i}`)]
    const batches = await collect(people)
    assert.ok(batches.every(({ waiting }) => waiting.length <= 1000))
    assert.deepEqual(
      batches.flatMap(({ indexes }) => indexes).filter((index) => index < 2500),
      [...people.keys()].slice(0, 2500),
    )
  })

  it('have each row once, and a run that continues makes the batches that are left', async () => {
    // A batch has ten passwords at most, so it is often full while earlier rows wait.
    const withPassword = Array.from({ length: 15 }, (_, i) => `p${i}`)
    const person = fc.constantFrom('a', 'faulty', ...withPassword)
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { maxLength: 60 }),
        fc.constantFrom<Mode>('fail', 'update', 'waiting'),
        async (people, mode) => {
          const batches = await collect(people, mode)
          const all = batches.flatMap(({ indexes }) => indexes)
          assert.deepEqual(
            all.toSorted((a, b) => a - b),
            [...people.keys()],
          )
          for (const each of new Set(people)) {
            const own = all.filter((index) => people[index] === each)
            assert.deepEqual(
              own,
              own.toSorted((a, b) => a - b),
            )
          }
          let next = 0
          for (const [i, { indexes, waiting }] of batches.entries()) {
            const known = indexes.map((index) => people[index] ?? '').filter((each) => each !== 'faulty')
            assert.ok(mode === 'fail' || new Set(known).size === known.length)
            next += indexes.length
            assert.deepEqual(await collect(people, mode, { next, waiting }), batches.slice(i + 1))
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})
