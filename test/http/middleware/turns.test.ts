import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Context } from 'hono'
import type { AppEnv } from '../../../src/http/app-env.ts'
import { openDb } from '../../../src/db/batch.ts'
import { d1Database } from '../../../src/db/database.ts'
import { idOf } from '../../../src/db/ids.ts'
import { type RequestContext, ROOT } from '../../../src/change/request.ts'
import { DomainError } from '../../../src/change/errors.ts'
import { Hono } from '../../../src/http/hono.ts'
import { inTurn, examineInTurn, takeTurn } from '../../../src/http/middleware/turns.ts'
import { app as service } from '../../../src/app.ts'
import { type Turn, waitForTurn } from '../../../src/http/turn-queue.ts'
import { BASE, newStore, WITHOUT_QUOTA } from '../../support/api.ts'
import { useStillClock } from '../../support/clock.ts'
import { rowsOf, storeNumber, type TestStore } from '../../support/rows.ts'

/** The callers by their name in a header: a token of each of two stores, and two operators. */
const CALLERS = new Map([
  ['a', idOf(1, 1)],
  ['b', idOf(2, 1)],
  ['operator', idOf(0, 1)],
  ['colleague', idOf(0, 2)],
])

const REJECTIONS = ['invalid_token', 'store_suspended', 'insufficient_scope'] as const

/**
 * An instance whose requests each take as many milliseconds as their path says; with `?small`, their work is small, and with
 * `?rejected`, the caller is rejected in the end. `order` has the store of each path, and
 * `background` what goes on if the client disconnects.
 */
function instance() {
  const settings = { ...env }
  const order: string[] = []
  const served: (string | undefined)[] = []
  const background: Promise<unknown>[] = []
  const ctx = { ...createExecutionContext(), waitUntil: (promise: Promise<unknown>) => void background.push(promise) }
  const serve = async (c: Context<AppEnv, '/:store_id/:ms'>, turn?: Turn) => {
    const { store_id, ms } = c.req.param()
    order.push(store_id)
    served.push(c.req.header('caller'))
    if (c.req.query('small') !== undefined) turn?.skipRest()
    await new Promise((resolve) => setTimeout(resolve, Number(ms)))
    const rejection = REJECTIONS.find((code) => code === c.req.query('rejected'))
    if (rejection) throw new DomainError(rejection, {})
    return c.text('done')
  }
  const app = new Hono()
    .use(async (c, next) => {
      c.set('caller', { id: CALLERS.get(c.req.header('caller') ?? '') ?? ROOT, hash: '' })
      await next()
    })
    .get('/turn/:store_id/:ms', takeTurn(), (c) => serve(c))
    .get('/read/:store_id/:ms', (c) => {
      const cost = { roundTrips: 0, rowsRead: 7, rowsWritten: 0, bytes: 0 }
      c.set('db', openDb(d1Database(env.DB), cost))
      return examineInTurn(c, () => {
        cost.rowsRead += Number(c.req.query('rows'))
        return serve(c)
      })
    })
    .get('/:store_id/:ms', (c) => inTurn(c, (turn) => serve(c, turn), { isAuthorized: true }))
    .onError((error, c) => c.text(error instanceof DomainError ? error.code : String(error), 500))
  /** By default the caller is the token of the store in the path. */
  const send = async (path: string, caller = path.slice(1, 2)) =>
    (await app.request(path, { headers: { caller } }, settings, ctx)).text()
  return { order, served, send, background }
}

describe('Expensive requests of one store', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are served one at a time, with a gap twice as long as the work while more of them wait', async () => {
    const { order, send } = instance()
    const responses = Promise.all([send('/a/100'), send('/a/100'), send('/a/100')])
    await vi.advanceTimersByTimeAsync(299)
    expect(order).toEqual(['a'])
    // Two who wait look at least every 20 ms.
    await vi.advanceTimersByTimeAsync(21)
    expect(order).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(await responses).toEqual(['done', 'done', 'done'])
  })

  it('do not wait if the client sends short ones one after another', async () => {
    const { order, send } = instance()
    void send('/a/9')
    await vi.advanceTimersByTimeAsync(9)
    void send('/a/9')
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(1000)
  })

  it('wait for as long as the last one took if the client sends long ones one after another', async () => {
    const { order, send } = instance()
    void send('/a/100')
    await vi.advanceTimersByTimeAsync(100)
    void send('/a/100')
    await vi.advanceTimersByTimeAsync(99)
    expect(order).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(11)
    expect(order).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(1000)
  })

  it('do not wait after one whose work was small, although it took long', async () => {
    const { order, send } = instance()
    void send('/a/100?small')
    await vi.advanceTimersByTimeAsync(100)
    void send('/a/9')
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(1000)
  })

  it.each([
    [1000, 'not wait', 2],
    [1001, 'wait', 1],
  ])('after a list that has read %i rows do %s, although it took long', async (rows, _, served) => {
    const { order, send } = instance()
    void send(`/read/a/100?rows=${rows}`, 'a')
    await vi.advanceTimersByTimeAsync(100)
    void send('/a/9')
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toHaveLength(served)
    await vi.advanceTimersByTimeAsync(1000)
    expect(order).toHaveLength(2)
  })

  it.each(['/a/100', '/turn/a/100'])('do not wait after one of a rejected caller, as %s', async (path) => {
    const { order, send } = instance()
    for (const code of REJECTIONS) {
      void send(`${path}?rejected=${code}`, 'a')
      await vi.advanceTimersByTimeAsync(100)
    }
    void send('/a/9')
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(1000)
  })

  it('do not delay those of another store', async () => {
    const { order, send } = instance()
    void send('/a/1000')
    void send('/a/1000')
    await vi.advanceTimersByTimeAsync(1)
    void send('/b/1000')
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(5000)
  })

  it('of a token wait for each other, whatever stores their paths name', async () => {
    const { order, send } = instance()
    void send('/a/1000', 'a')
    void send('/b/1000', 'a')
    void send('/invented/1000', 'a')
    await vi.advanceTimersByTimeAsync(500)
    expect(order).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(order).toHaveLength(3)
  })

  it('do not wait for those of a foreign token or of an operator that name the same store', async () => {
    const { order, send } = instance()
    void send('/b/1000', 'a')
    void send('/b/1000', 'operator')
    void send('/b/1000', 'b')
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toEqual(['b', 'b', 'b'])
    await vi.advanceTimersByTimeAsync(5000)
  })

  it('of an operator do not wait for those of another store', async () => {
    const { order, send } = instance()
    void send('/a/1000', 'operator')
    void send('/b/1000', 'operator')
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(5000)
  })

  it('of two operators wait for each other', async () => {
    const { order, send } = instance()
    void send('/a/1000', 'operator')
    void send('/a/1000', 'colleague')
    await vi.advanceTimersByTimeAsync(500)
    expect(order).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(order).toHaveLength(2)
  })

  it('of two operators are served in rotation, however many of each wait', async () => {
    const { served, send } = instance()
    for (let n = 0; n < 25; n++) void send('/a/100', 'operator')
    await vi.advanceTimersByTimeAsync(1)
    for (let n = 0; n < 3; n++) void send('/a/100', 'colleague')
    await vi.advanceTimersByTimeAsync(6 * 400)
    expect(served.slice(0, 6)).toEqual(['operator', 'colleague', 'operator', 'colleague', 'operator', 'colleague'])
    await vi.advanceTimersByTimeAsync(20_000)
  })

  it('leave a gap of half a second at most, so that the store gets on', async () => {
    const { order, send } = instance()
    void send('/a/2000')
    void send('/a/1')
    await vi.advanceTimersByTimeAsync(2511)
    expect(order).toEqual(['a', 'a'])
  })

  it('lose their turn after ten seconds, in case they stand still', async () => {
    const { order, send } = instance()
    void send('/a/60000')
    void send('/a/1')
    await vi.advanceTimersByTimeAsync(9999)
    expect(order).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(12)
    expect(order).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(60_000)
  })

  it('end their turn also if the client disconnects, for which the request is kept alive', async () => {
    const { order, send, background } = instance()
    void send('/a/100')
    await vi.advanceTimersByTimeAsync(1)
    let hasEnded = false
    void background[0]?.then(() => (hasEnded = true))
    await vi.advanceTimersByTimeAsync(98)
    expect([background.length, hasEnded]).toEqual([1, false])
    await vi.advanceTimersByTimeAsync(1)
    expect(hasEnded).toBe(true)
    void send('/a/100')
    await vi.advanceTimersByTimeAsync(111)
    expect(order).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(1000)
  })

  it('do not wait for a time from before the clock was set back', async () => {
    const { order, send } = instance()
    void send('/a/100')
    vi.setSystemTime(Date.now() - 60_000)
    void send('/a/100')
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(1000)
  })

  it('are rejected with store_too_busy when another one takes the turn after 20 seconds', async () => {
    const { order, send } = instance()
    const responses = Promise.all(['/a/100', '/a/100', '/a/100'].map((path) => send(path)))
    await vi.advanceTimersByTimeAsync(1)
    vi.setSystemTime(Date.now() + 20_001)
    await vi.advanceTimersByTimeAsync(200)
    expect((await responses).toSorted()).toEqual(['done', 'done', 'store_too_busy'])
    expect(order).toEqual(['a', 'a'])
  })
})

describe('A turn', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** The request of a caller with this id. */
  const requestOf = (id: number): RequestContext => ({
    caller: { id, hash: '' },
    requiredScopes: [],
    store_slug: null,
    request_id: '',
    now: 0,
    endpointsToWake: new Set(),
    firstUses: new Set(),
  })
  const ACCEPTED = requestOf(1)
  const REJECTED = requestOf(2)

  /** Rejects one of the two callers. `asked` has whom each waiting request has checked. */
  function line() {
    const instance = {}
    const asked: [by: RequestContext, about: RequestContext][] = []
    const wait = (by: RequestContext | undefined, options: { until?: number; tripMs?: number } = {}) =>
      waitForTurn(instance, 'store 1', {
        until: options.until ?? Date.now() + 60_000,
        unchecked: by,
        authorize: async (about) => {
          asked.push([by ?? ACCEPTED, about])
          if (options.tripMs !== undefined) await new Promise((resolve) => setTimeout(resolve, options.tripMs))
          if (about === REJECTED) throw new DomainError('invalid_token', {})
        },
      })
    return { asked, wait }
  }

  it('that a rejected caller has holds up nobody', async () => {
    const { wait } = line()
    await wait(REJECTED)
    expect(await wait(ACCEPTED)).toBeDefined()
  })

  it('that a rejected caller has holds up no request whose caller is known to be authorized', async () => {
    const { wait } = line()
    await wait(REJECTED)
    expect(await wait(undefined)).toBeDefined()
  })

  it('that an authorized caller has is waited for', async () => {
    const { wait } = line()
    await wait(ACCEPTED)
    expect(await wait(ACCEPTED, { until: Date.now() })).toBeUndefined()
  })

  it('is not given to a rejected caller while another one waits, and such a caller is not waited for', async () => {
    const { wait } = line()
    const turn = await wait(undefined)
    const second = wait(ACCEPTED)
    await Promise.resolve()
    await expect(wait(REJECTED)).rejects.toThrow('invalid_token')
    turn?.end()
    // The turn is free now, or rests.
    await expect(wait(REJECTED)).rejects.toThrow('invalid_token')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await second).toBeDefined()
  })

  it('that several wait for is checked by one of them, whose request goes on until it is known', async () => {
    const { asked, wait } = line()
    const holder = requestOf(1)
    await wait(holder)
    const others = [requestOf(1), requestOf(1)]
    const rejected = wait(REJECTED, { tripMs: 20 }).catch(({ code }) => code)
    const waiting = others.map((by) => wait(by, { until: Date.now() + 100 }))
    await vi.advanceTimersByTimeAsync(200)
    expect(await rejected).toBe('invalid_token')
    await Promise.all(waiting)
    expect(asked.filter(([, about]) => about === holder)).toEqual([[REJECTED, holder]])
  })

  it('is checked by another one after a second if the request that checks it stands still', async () => {
    const { wait } = line()
    await wait(REJECTED)
    void wait(ACCEPTED, { tripMs: 60_000 })
    let turn: Turn | undefined
    void wait(requestOf(1), { until: Date.now() + 60_000 }).then((taken) => (turn = taken))
    await vi.advanceTimersByTimeAsync(900)
    expect(turn).toBeUndefined()
    await vi.advanceTimersByTimeAsync(200)
    expect(turn).toBeDefined()
  })
})

describe('While the turn of its store is taken, a list', () => {
  useStillClock()

  /** Lists the users of a store whose turn is taken until `end` is called, or until its lease ends. */
  async function listIn(store: TestStore) {
    const settings = { ...env, ...WITHOUT_QUOTA }
    const take = async () => waitForTurn(settings, `store ${await storeNumber(store)}`, { until: Date.now() })
    const turn = await take()
    const headers = { authorization: `Bearer ${store.token}` }
    const path = `${BASE}/v1/stores/${store.id}/users`
    const response = service.request(path, { headers }, settings, createExecutionContext())
    return { response, end: () => turn?.end(), isTaken: async () => (await take()) === undefined }
  }

  it('waits for it', async () => {
    const { response, end } = await listIn(await newStore())
    let hasEnded = false
    setTimeout(() => {
      hasEnded = true
      end()
    }, 200)
    expect((await response).status).toBe(200)
    expect(hasEnded).toBe(true)
  })

  it('does not wait for it if the token is revoked', async () => {
    const store = await newStore()
    await rowsOf('update access_tokens set revoked_at = 1 where id >> 32 = ?', await storeNumber(store))
    const { response, isTaken } = await listIn(store)
    expect((await response).status).toBe(401)
    expect(await isTaken()).toBe(true)
  })
})
