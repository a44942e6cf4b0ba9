import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from './random.ts'

const random = new Random(1)
const NAMES = 20_000
const DRAWS = 30

interface Position {
  name: string
  /** How many numbers have been drawn. */
  drawn: number
}

function bytesAt({ name, drawn }: Position): string {
  const stream = random.stream(name)
  for (let i = 0; i < drawn; i++) stream.next()
  return stream.fill(Buffer.alloc(16)).toString('hex')
}

await test('Streams that reach the same state by chance have different bytes', () => {
  const known = new Map<string, Position>()
  const same: [Position, Position][] = []
  for (let i = 0; i < NAMES; i++) {
    const name = `exam ${i} request`
    const stream = random.stream(name)
    const numbers = Array.from({ length: DRAWS }, () => stream.next())
    for (let drawn = 0; drawn + 1 < DRAWS; drawn++) {
      const key = `${numbers[drawn]} ${numbers[drawn + 1]}`
      const other = known.get(key)
      if (other !== undefined && other.name !== name) same.push([other, { name, drawn }])
      known.set(key, { name, drawn })
    }
  }
  assert.ok(same.length > 0)
  for (const [one, other] of same) assert.notEqual(bytesAt(one), bytesAt(other))
})
