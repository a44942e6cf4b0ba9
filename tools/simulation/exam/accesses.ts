/** The tasks about single accesses. */
import { MAX_TIME } from '../../../src/limits.ts'
import * as contract from '../contract.ts'
import type { Caller } from '../reference/operation.ts'
import { endOfDay } from '../reference/calendar.ts'
import { type Access, iso, zoneOf } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { withKey, pickIfMatch, pickUser } from './users.ts'
import type { Examiner, Prepared } from './examiner.ts'
import { NO_ID, ofStore, type Task } from './task.ts'

/** A day or a month later, the clocks of a store in Lisbon or Santiago show the time twice, or skip it, or the day ends twice. */
export const BEFORE_CHANGES_OF_CLOCKS = [
  '2027-03-27T01:30:00.000Z',
  '2027-02-28T01:30:00.000Z',
  '2027-10-30T00:30:00.000Z',
  '2027-07-31T00:30:00.000Z',
  '2027-04-03T02:59:59.999Z',
  '2027-03-04T02:30:00.000Z',
  '2027-09-04T03:59:59.500Z',
  '2027-09-04T04:30:00.000Z',
]

/** At the end of a day of the store, or just beyond it: the last day of January, to which a month is added, or one that is soon. */
function endsOfDays({ model, now }: Examiner): number[] {
  const zone = zoneOf(model)
  const ends = [Date.UTC(2027, 0, 31, 12), now + 5 * contract.DAY_MS].map((at) => endOfDay(at, zone))
  return ends.flatMap((end) => [end, end - 999, end - 1000, end + 1])
}

/** Null, or a date. Some are soon, so that the crons announce them while the examiner works; some use an offset; one is nearly the last. */
export function pickDue(exam: Examiner, random: Random): string | null {
  const { now } = exam
  const minute = 60_000
  const onTheMinute = now - (now % minute) + minute * random.below(4)
  const day = contract.DAY_MS
  if (random.chance(0.15)) return random.pick(BEFORE_CHANGES_OF_CLOCKS)
  if (random.chance(0.15)) return iso(random.pick(endsOfDays(exam)))
  const times = [
    now + 400 * day,
    now + 5 * day,
    MAX_TIME - 10 * day,
    now - 5000,
    onTheMinute,
    onTheMinute - 1,
    onTheMinute + 7 * day,
    onTheMinute + 7 * day + 1,
  ]
  if (random.chance(0.25)) return null
  const time = random.pick(times)
  return random.chance(0.8) ? iso(time) : `${iso(time + 2 * contract.HOUR_MS).slice(0, -1)}+02:00`
}

/** Products of other stores have this slug. */
const SLUG_OF_OTHERS = 'p0'

/** The same grant, which names its product by its slug. */
export function withSlug(exam: Examiner, { product_id, ...grant }: Row): Row {
  return { ...grant, slug: exam.model.products.get(String(product_id))?.['slug'] ?? SLUG_OF_OTHERS }
}

/** A user and a product who have no access yet, if possible. */
function pickPair(exam: Examiner, random: Random): Row {
  const products = [...exam.model.products.keys()]
  for (let tries = 0; tries < 6; tries++) {
    const user = pickUser(exam, random)?.json['id'] ?? NO_ID
    const product = products.length > 0 ? random.pick(products) : NO_ID
    if (tries === 5 || !exam.model.accessOf(user, product)) return { user_id: user, product_id: product }
  }
  return {}
}

export function newGrant(exam: Examiner, random: Random): Row {
  const status = random.pick(contract.STATUSES)
  const access_due_date = pickDue(exam, random)
  return {
    ...pickPair(exam, random),
    ...random.pick([{}, {}, { status }, { access_due_date }, { status, access_due_date }]),
  }
}

function prepareGrant(exam: Examiner, random: Random, caller: Caller): Prepared {
  const path = '/product_accesses'
  const body = newGrant(exam, random)
  const variant = random.weighted({ valid: 4, taken: 1, unknown: 0.5, both: 0.2, keyed: 3 })
  const [taken] = exam.model.accesses.values()
  if (variant === 'taken' && taken) Object.assign(body, { user_id: taken.user, product_id: taken.product })
  if (variant === 'unknown') body[random.pick(['user_id', 'product_id'])] = NO_ID
  if (variant === 'both') return { path, body: { ...body, ...withSlug(exam, body), product_id: body['product_id'] } }
  const prepared = { path, body: random.chance(0.4) ? withSlug(exam, body) : body }
  return variant === 'keyed' ? withKey(exam, random, caller, 'grant', prepared) : prepared
}

export function pickAccess(exam: Examiner, random: Random): Access | undefined {
  const accesses = [...exam.model.accesses.values()]
  return accesses.length === 0 ? undefined : random.pick(accesses)
}

/** The path of an access: of none, sometimes. */
const pathOf = (random: Random, access: Access | undefined) =>
  `/product_accesses/${access && !random.chance(0.05) ? String(access.json['id']) : NO_ID}`

function prepareChange(pickBody: (exam: Examiner, random: Random) => Row) {
  return (exam: Examiner, random: Random): Prepared => {
    const access = pickAccess(exam, random)
    const headers = pickIfMatch(random, access?.etag)
    return { path: pathOf(random, access), headers, body: pickBody(exam, random) }
  }
}

function pickUpdate(exam: Examiner, random: Random): Row {
  const status = random.pick(contract.STATUSES)
  const access_due_date = pickDue(exam, random)
  return random.pick([{}, { status }, { access_due_date }, { status, access_due_date }])
}

function pickProgress(_: Examiner, random: Random): Row {
  const values: Row = {
    started_at: random.pick([null, '2026-11-20T08:00:00.000Z']),
    completed_at: random.pick([null, '2026-11-21T09:00:00.000Z']),
    progress: random.pick([0, 50, 100]),
    grade: random.pick([null, 9.5, JSON.rawJSON('9.50'), 'A', true, '9.5']),
    concept_grade: random.pick([null, 'good']),
    passed: random.chance(0.5),
    certificate_url: random.pick([null, 'https://cdn.example.com/1.pdf']),
  }
  return Object.fromEntries(Object.entries(values).filter(() => random.chance(0.4)))
}

/** By days or months, sometimes by both or none. A key is tried with other accesses, too. */
function prepareExtension(exam: Examiner, random: Random, caller: Caller): Prepared {
  const access = pickAccess(exam, random)
  const days = random.pick([1, 30, 365])
  const months = random.pick([1, 3, 12])
  const kind = random.weighted({ days: 4, months: 4, both: 0.3, none: 0.3 })
  const body = { days: { days }, months: { months, days: null }, both: { days, months }, none: {} }[kind]
  const headers = pickIfMatch(random, access?.etag)
  const prepared = { path: `${pathOf(random, access)}/extend`, headers, body }
  const keyed = random.chance(0.4) ? withKey(exam, random, caller, 'extend', prepared) : prepared
  return { ...keyed, headers: { ...headers, ...keyed.headers } }
}

export const ACCESS_TASKS: Task[] = [
  ...ofStore('POST /product_accesses', prepareGrant),
  ...ofStore('PUT /product_accesses/{id}', prepareChange(pickUpdate)),
  ...ofStore('PATCH /product_accesses/{id}', prepareChange(pickProgress)),
  ...ofStore('POST /product_accesses/{id}/extend', prepareExtension),
]
