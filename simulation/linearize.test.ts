import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findViolation, type Operation } from './linearize.ts'
import { Random } from './random.ts'

type Register = Operation<number>
let serial = 0
const write = (value: number, call: number, end: number): Register => ({
  label: `${++serial} write ${value}`,
  call,
  end,
  apply: () => [value],
})
const read = (value: number, call: number, end: number): Register => ({
  label: `${++serial} read ${value}`,
  call,
  end,
  apply: (state) => (state === value ? [state] : []),
})
const compareAndSet = (from: number, to: number, isSet: boolean, call: number, end: number): Register => ({
  label: `${++serial} ${from} to ${to}: ${isSet}`,
  call,
  end,
  apply: (state) => (isSet === (state === from) ? [isSet ? to : state] : []),
})

describe('findViolation', () => {
  it('takes reads of either value while a write is under way', () => {
    assert.equal(findViolation(0, [write(1, 0, 10), read(0, 1, 2), read(1, 3, 4), read(1, 11, 12)]), undefined)
  })

  it('finds a value that comes back', () => {
    assert.match(findViolation(0, [write(1, 0, 10), read(1, 1, 2), read(0, 3, 4)]) ?? '', /no order explains/)
  })

  it('finds a read of what was overwritten before it began', () => {
    assert.match(findViolation(0, [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]) ?? '', /read 1/)
  })

  it('lets a lost write take effect late, or never', () => {
    assert.equal(findViolation(0, [write(1, 0, Infinity), read(0, 5, 6), read(1, 7, 8)]), undefined)
    assert.equal(findViolation(0, [write(1, 0, Infinity), read(0, 5, 6)]), undefined)
  })

  it('finds a lost write that takes effect twice', () => {
    const history = [write(1, 0, Infinity), read(1, 1, 2), write(2, 3, 4), read(1, 5, 6)]
    assert.match(findViolation(0, history) ?? '', /no order/)
  })

  it('lets one of two comparisons with the same value succeed', () => {
    assert.equal(findViolation(0, [compareAndSet(0, 1, true, 0, 5), compareAndSet(0, 2, false, 0, 5)]), undefined)
    assert.match(findViolation(0, [compareAndSet(0, 1, true, 0, 5), compareAndSet(0, 2, true, 0, 5)]) ?? '', /no order/)
  })

  it('agrees with every history that a register has really had, and with few of those that are tampered with', () => {
    const random = new Random(7)
    let refused = 0
    for (let round = 0; round < 200; round++) {
      const history = realHistory(random)
      assert.equal(findViolation(0, history), undefined)
      const at = random.below(history.length)
      const { call = 0, end = 0 } = history[at] ?? {}
      if (findViolation(0, history.with(at, read(99, call, end))) !== undefined) refused++
    }
    assert.equal(refused, 200)
  })
})

/** What 4 clients have seen of a register that takes effect somewhere within each call. */
function realHistory(random: Random): Register[] {
  const calls = Array.from({ length: 24 }, () => {
    const call = random.below(100)
    const end = call + 1 + random.below(20)
    return { call, end, at: random.between(call, end), value: random.below(4), isRead: random.chance(0.5) }
  })
  let state = 0
  return calls
    .toSorted((a, b) => a.at - b.at)
    .map(({ call, end, value, isRead }) => (isRead ? read(state, call, end) : write((state = value), call, end)))
}
