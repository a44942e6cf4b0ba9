import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findViolation, type Operation } from './linearize.ts'
import { Random } from '../world/random.ts'

type Register = Operation<number>
let serial = 0
const write = (value: number, start: number, end: number): Register => ({
  label: `${++serial} write ${value}`,
  start,
  end,
  apply: () => [value],
})
const read = (value: number, start: number, end: number): Register => ({
  label: `${++serial} read ${value}`,
  start,
  end,
  apply: (state) => (state === value ? [state] : []),
})
const compareAndSet = (from: number, to: number, isSet: boolean, start: number, end: number): Register => ({
  label: `${++serial} ${from} to ${to}: ${isSet}`,
  start,
  end,
  apply: (state) => (isSet === (state === from) ? [isSet ? to : state] : []),
})

describe('findViolation', () => {
  it('accepts reads of either value while a write is under way', () => {
    assert.equal(findViolation(0, [write(1, 0, 10), read(0, 1, 2), read(1, 3, 4), read(1, 11, 12)]), undefined)
  })

  it('reports a read of the old value after a read of the new one', () => {
    assert.match(findViolation(0, [write(1, 0, 10), read(1, 1, 2), read(0, 3, 4)]) ?? '', /no order explains/)
  })

  it('reports a read of a value that was overwritten before the read began', () => {
    assert.match(findViolation(0, [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]) ?? '', /read 1/)
  })

  it('accepts a lost write that takes effect late or never', () => {
    assert.equal(findViolation(0, [write(1, 0, Infinity), read(0, 5, 6), read(1, 7, 8)]), undefined)
    assert.equal(findViolation(0, [write(1, 0, Infinity), read(0, 5, 6)]), undefined)
  })

  it('reports a lost write that takes effect twice', () => {
    const history = [write(1, 0, Infinity), read(1, 1, 2), write(2, 3, 4), read(1, 5, 6)]
    assert.match(findViolation(0, history) ?? '', /no order/)
  })

  it('accepts one success of two concurrent compare-and-sets of the same value, and reports two', () => {
    assert.equal(findViolation(0, [compareAndSet(0, 1, true, 0, 5), compareAndSet(0, 2, false, 0, 5)]), undefined)
    assert.match(findViolation(0, [compareAndSet(0, 1, true, 0, 5), compareAndSet(0, 2, true, 0, 5)]) ?? '', /no order/)
  })

  it('accepts every history that a register has really had, and reports each one with a changed read', () => {
    const random = new Random(7)
    let rejected = 0
    for (let round = 0; round < 200; round++) {
      const history = realHistory(random)
      assert.equal(findViolation(0, history), undefined)
      const at = random.below(history.length)
      const { start = 0, end = 0 } = history[at] ?? {}
      if (findViolation(0, history.with(at, read(99, start, end))) !== undefined) rejected++
    }
    assert.equal(rejected, 200)
  })
})

/** A history of a register in which each operation took effect at a random moment between its start and its end. */
function realHistory(random: Random): Register[] {
  const calls = Array.from({ length: 24 }, () => {
    const start = random.below(100)
    const end = start + 1 + random.below(20)
    return { start, end, at: random.between(start, end), value: random.below(4), isRead: random.chance(0.5) }
  })
  let state = 0
  return calls
    .toSorted((a, b) => a.at - b.at)
    .map(({ start, end, value, isRead }) => (isRead ? read(state, start, end) : write((state = value), start, end)))
}
