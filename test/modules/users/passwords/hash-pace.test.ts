import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { paceHash } from '../../../../src/modules/users/passwords/hash-pace.ts'

const [STORE, OTHER_STORE] = [1, 2]

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Hashes on one instance. `order` has the name of each hash that began. */
function instance() {
  const environment = {}
  const order: string[] = []
  const hash = (name: string, store = STORE) =>
    paceHash(environment, store, async () => {
      order.push(name)
      if (name === 'failing') throw new Error('no memory')
      return name
    })
  return { order, hash }
}

describe('Hashes of one instance', () => {
  it('begin at once when nobody has hashed for a second', async () => {
    const { order, hash } = instance()
    void hash('first')
    expect(order).toEqual(['first'])
    vi.advanceTimersByTime(1000)
    void hash('second')
    expect(order).toEqual(['first', 'second'])
  })

  it('never follow each other within 50 ms, so that other requests are served in between', async () => {
    const { order, hash } = instance()
    const hashed = Promise.all(['1', '2', '3', '4'].map((name) => hash(name)))
    const ticks = setInterval(() => order.push('.'), 10)
    await vi.advanceTimersByTimeAsync(1000)
    clearInterval(ticks)
    expect(await hashed).toEqual(['1', '2', '3', '4'])
    expect(order.join('')).toMatch(/^1\.{5,}2\.{5,}3\.{5,}4\.+$/)
  })

  it('never follow each other within the time that the first took', async () => {
    const environment = {}
    const times: number[] = []
    const slowHash = () => {
      times.push(Date.now())
      vi.setSystemTime(Date.now() + 200)
    }
    const hashed = Promise.all([paceHash(environment, STORE, slowHash), paceHash(environment, STORE, slowHash)])
    await vi.advanceTimersByTimeAsync(1000)
    await hashed
    const [first = Infinity, second = 0] = times
    expect(second - first).toBeGreaterThanOrEqual(400)
  })

  it('that arrive during a pause wait for a pause of their own', async () => {
    const { order, hash } = instance()
    void hash('1')
    void hash('2')
    await vi.advanceTimersByTimeAsync(30)
    void hash('3')
    await vi.advanceTimersByTimeAsync(30)
    expect(order).toEqual(['1', '2'])
    await vi.advanceTimersByTimeAsync(100)
    expect(order).toEqual(['1', '2', '3'])
  })

  it('alternate between stores, so that one password does not wait for the twenty of another store', async () => {
    const { order, hash } = instance()
    const many = Array.from({ length: 20 }, () => hash('many'))
    const one = hash('one', OTHER_STORE)
    await vi.advanceTimersByTimeAsync(2000)
    await Promise.all([...many, one])
    expect(order.indexOf('one')).toBe(1)
  })

  it('go on when one fails', async () => {
    const { order, hash } = instance()
    await expect(hash('failing')).rejects.toThrow('no memory')
    void hash('next')
    await vi.advanceTimersByTimeAsync(100)
    expect(order).toEqual(['failing', 'next'])
  })

  it('are rejected with hashing_too_busy when another one goes first after 20 seconds', async () => {
    const { order, hash } = instance()
    const waiting = ['1', '2', '3'].map((name) => hash(name).catch(({ code }) => code))
    vi.setSystemTime(Date.now() + 20_001)
    await vi.advanceTimersByTimeAsync(100)
    expect(await Promise.all(waiting)).toEqual(['1', '2', 'hashing_too_busy'])
    expect(order).toEqual(['1', '2'])
  })
})
