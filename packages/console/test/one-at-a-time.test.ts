import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { oneAtATime } from '../src/api/one-at-a-time.ts'

const limit = 50

/** A list whose requests respond when the test says so. */
function slowList() {
  const sent: { after: string | undefined; signal: AbortSignal; respond: () => void }[] = []
  const list = oneAtATime<string>((after, { signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ data: string[]; next: null }>()
    signal.addEventListener('abort', () => reject(signal.reason))
    sent.push({ after, signal, respond: () => resolve({ data: [], next: null }) })
    return promise
  })
  return { sent, pages: () => sent.map(({ after }) => after), list }
}

/** Lets everything run that waits for no timer. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('lists that are read one at a time', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('send a request when the response of the last one is there, also if that one is not wanted any more', async () => {
    const { sent, pages, list } = slowList()
    const typedOn = new AbortController()
    const first = list('1', { limit, signal: typedOn.signal })
    await settle()
    typedOn.abort()
    const second = list('2', { limit, signal: AbortSignal.any([]) })
    await settle()
    assert.deepEqual(pages(), ['1'])
    sent[0]?.respond()
    await first
    await settle()
    assert.deepEqual(pages(), ['1', '2'])
    sent[1]?.respond()
    await second
  })

  it('do not send a request that is not wanted any more when its turn comes', async () => {
    const { sent, pages, list } = slowList()
    const typedOn = new AbortController()
    const first = list('1', { limit, signal: AbortSignal.any([]) })
    const second = assert.rejects(list('2', { limit, signal: typedOn.signal }), { name: 'AbortError' })
    const third = list('3', { limit, signal: AbortSignal.any([]) })
    await settle()
    typedOn.abort()
    sent[0]?.respond()
    await Promise.all([first, second])
    await settle()
    assert.deepEqual(pages(), ['1', '3'])
    sent[1]?.respond()
    await third
  })

  it('cancel a request that is not wanted any more after half a second, because its response may never come', async () => {
    const { sent, pages, list } = slowList()
    const typedOn = new AbortController()
    const first = assert.rejects(list('1', { limit, signal: typedOn.signal }), { name: 'AbortError' })
    await settle()
    typedOn.abort()
    const second = list('2', { limit, signal: AbortSignal.any([]) })
    mock.timers.tick(499)
    await settle()
    assert.equal(sent[0]?.signal.aborted, false)
    mock.timers.tick(1)
    await first
    await settle()
    assert.deepEqual(pages(), ['1', '2'])
    sent[1]?.respond()
    await second
  })

  it('send a request after one that has failed', async () => {
    const failing = oneAtATime<string>(() => Promise.reject(new Error('no connection')))
    const failed = assert.rejects(failing(undefined, { limit, signal: AbortSignal.any([]) }), /no connection/)
    const { sent, list } = slowList()
    const next = list('1', { limit, signal: AbortSignal.any([]) })
    await failed
    await settle()
    sent[0]?.respond()
    assert.deepEqual(await next, { data: [], next: null })
  })
})
