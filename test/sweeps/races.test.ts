/** Simultaneous requests: whatever their order, the unique indexes and the claim leave one winner. */
import { describe, expect, it } from 'vitest'
import {
  admin,
  type Answer,
  createV1,
  createV3,
  newAccess,
  newEmail,
  newStore,
  newToken,
  summary,
  updateAccess,
  v1User,
  v3User,
} from '../support/api.ts'
import { claimsOf, eventsOf, numberOf, usersOf } from '../support/rows.ts'

/** Starts `n` requests at once. */
function atOnce(n: number, send: (i: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: n }, (_, i) => send(i)))
}

/** How often each outcome came. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const outcome = summary(answer) + (answer.headers.has('Idempotent-Replayed') ? ' replayed' : '')
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** The letters that `bits` names in upper case. */
function inLetterCase(text: string, bits: number): string {
  return Array.from(text, (letter, i) => ((bits >> (i % 6)) & 1 ? letter.toUpperCase() : letter)).join('')
}

describe('50 simultaneous creates with one e-mail', () => {
  const senders: [string, (store: any, email: string, i: number) => Promise<Answer>][] = [
    ['on v1', (store, email) => createV1(store, v1User({ email }))],
    ['on v3', (store, email) => createV3(store, v3User({ email }))],
    [
      'on v1 and v3',
      (store, email, i) => (i % 2 ? createV1(store, v1User({ email })) : createV3(store, v3User({ email }))),
    ],
    ['in other letter cases', (store, email, i) => createV1(store, v1User({ email: inLetterCase(email, i) }))],
    [
      'and a key of each',
      (store, email, i) => createV1(store, v1User({ email }), { headers: { 'X-Idempotency-Key': `race-${i}` } }),
    ],
  ]

  it.each(senders)('create one user and refuse the others with its id, %s', async (_, send) => {
    const store = await newStore()
    const email = newEmail()
    const answers = await atOnce(50, (i) => send(store, email, i))
    expect(tally(answers)).toEqual({ '201': 1, '422 email_taken: email': 49 })
    const users = await usersOf(store)
    expect(users).toHaveLength(1)
    const created = answers.find(({ status }) => status === 201)
    expect(String(created?.json.id)).toBe(String(numberOf(users[0].id)))
    expect((await eventsOf(store)).filter(({ type }) => type === 'user.created').map(({ id }) => id)).toEqual([
      users[0].id,
    ])
    const named = answers.filter(({ status }) => status === 422).map(({ headers }) => headers.get('X-Existing-Id'))
    expect(new Set(named)).toEqual(new Set([String(numberOf(users[0].id))]))
  })

  it('leave no claim to those that are refused', async () => {
    const store = await newStore()
    const user = v1User()
    const answers = await atOnce(50, (i) => createV1(store, user, { headers: { 'X-Idempotency-Key': `race-${i}` } }))
    const winner = answers.findIndex(({ status }) => status === 201)
    expect((await claimsOf(store)).map(({ key }) => key)).toEqual([`race-${winner}`])
  })

  it('create one user in each of two stores', async () => {
    const stores = [await newStore(), await newStore()]
    const email = newEmail()
    const answers = await Promise.all(stores.map((store) => atOnce(25, () => createV1(store, v1User({ email })))))
    expect(answers.map(tally)).toEqual([
      { '201': 1, '422 email_taken: email': 24 },
      { '201': 1, '422 email_taken: email': 24 },
    ])
  })
})

describe('50 simultaneous creates with one key', () => {
  it.each([
    { version: 'v1', create: createV1, body: v1User },
    { version: 'v3', create: createV3, body: v3User },
  ])('create one user and replay it to the others, byte for byte, on $version', async ({ create, body }) => {
    const store = await newStore()
    const user = body()
    const headers = { 'X-Idempotency-Key': 'race' }
    const answers = await atOnce(50, () => create(store, user, { headers }))
    expect(tally(answers)).toEqual({ '201': 1, '201 replayed': 49 })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await usersOf(store)).toHaveLength(1)
    expect(await claimsOf(store)).toHaveLength(1)
  })

  it('and two bodies create one of the two and refuse the other', async () => {
    const store = await newStore()
    const bodies = [v1User(), v1User()]
    const headers = { 'X-Idempotency-Key': 'race' }
    const answers = await atOnce(50, (i) => createV1(store, bodies[i % 2], { headers }))
    expect(tally(answers)).toEqual({
      '201': 1,
      '201 replayed': 24,
      '422 idempotency_key_reused: X-Idempotency-Key': 25,
    })
    const [user, ...others] = await usersOf(store)
    expect(others).toEqual([])
    expect(answers.find(({ status }) => status === 201)?.json.email).toBe(user.email)
  })

  it('of two tokens create one user for each', async () => {
    const store = await newStore()
    const { token } = await newToken(store)
    const callers = [
      { token: store.token, body: v1User() },
      { token, body: v1User() },
    ]
    const headers = { 'X-Idempotency-Key': 'race' }
    const answers = await Promise.all(
      callers.map((caller) => atOnce(25, () => createV1(store, caller.body, { token: caller.token, headers }))),
    )
    expect(answers.map(tally)).toEqual([
      { '201': 1, '201 replayed': 24 },
      { '201': 1, '201 replayed': 24 },
    ])
    expect(await claimsOf(store)).toHaveLength(2)
  })
})

describe('simultaneous updates of one access', () => {
  it('end in one of the states that were sent, whole', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    const states = Array.from({ length: 30 }, (_, i) => ({
      status: i % 2 ? 'with_access' : 'without_access',
      access_due_date: new Date(Date.UTC(2030, 0, i + 1)).toISOString(),
    }))
    const answers = await atOnce(30, (i) => updateAccess(store, id, states[i]))
    expect(tally(answers)).toEqual({ '201': 30 })
    for (const [i, { json }] of answers.entries()) expect(json).toMatchObject(states[i] ?? {})
    const { status, access_due_date } = (await updateAccess(store, id, {})).json
    expect(states).toContainEqual({ status, access_due_date })
  })

  it('of different fields both hold', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    const due = '2031-05-06T07:08:09.000Z'
    await atOnce(30, (i) => updateAccess(store, id, i % 2 ? { status: 'without_access' } : { access_due_date: due }))
    const { json } = await updateAccess(store, id, {})
    expect(json).toMatchObject({ status: 'without_access', access_due_date: due })
  })
})

describe('simultaneous creates of different users', () => {
  it('give each a number of its own, in the order of their events, without a gap', async () => {
    const store = await newStore()
    const answers = await atOnce(50, (i) => (i % 2 ? createV1(store, v1User()) : createV3(store, v3User())))
    expect(tally(answers)).toEqual({ '201': 50 })
    const ids = answers.map(({ json }) => Number(json.id)).toSorted((a, b) => a - b)
    expect(ids).toEqual(Array.from({ length: 50 }, (_, i) => (ids[0] ?? 0) + i))
    expect((await eventsOf(store)).slice(-50).map(({ id }) => numberOf(id))).toEqual(ids)
  })
})

describe('simultaneous requests of the operator', () => {
  it('create one store of an id and refuse the others', async () => {
    const id = `s-${crypto.randomUUID()}`
    const answers = await atOnce(20, () => admin('POST', '/stores', { id, name: 'Store', language: 'EN' }))
    expect(tally(answers)).toEqual({ '201': 1, '422 already_exists: id': 19 })
  })
})
