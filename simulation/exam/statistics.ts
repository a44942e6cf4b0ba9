/** The statistics, once everything has been counted: the totals, the products and the days must agree with the model. */
import { DAY_MS } from '../contract.ts'
import { HOLIDAY_STEP_MS } from '../world/crons.ts'
import { type Access, endOf, isInForce, iso } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow } from '../rows.ts'
import { findDifference } from './compare-json.ts'
import { grantAccesses } from './announcements.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { newPerson } from './people.ts'
import { jumpTo, land, perform } from './perform.ts'

const MINUTE_MS = 60_000
/** By then, the job has caught up with what it counts in small chunks. */
const PATIENCE_MINUTES = 15
const DAYS = 3
const PRODUCTS = 20
export const COUNTED = {
  users_created: 'user.created',
  users_erased: 'user.erased',
  accesses_granted: 'product_access.granted',
  accesses_updated: 'product_access.updated',
  accesses_expired: 'product_access.expired',
}

export async function checkStatistics(exam: Examiner, readFeed: () => Promise<Row[]>): Promise<void> {
  for (let i = 0; i < PATIENCE_MINUTES; i++) {
    const run = (Math.floor(exam.now / MINUTE_MS) + 1) * MINUTE_MS
    await exam.world.sleepUntil(run + 1)
    const request = requestOf(ROOT, 'GET', exam.model.slug, `/stats?days=${DAYS}`)
    const { json } = await exam.send('statistics', request, { status: 200 })
    const events = await readFeed()
    const asOf = Date.parse(String(json['as_of']))
    if (exam.hasOwnPlace ? asOf <= newestOf(events) : asOf !== run) continue
    const difference = findDifference(json, expectedAt(exam, asOf, events))
    if (difference !== undefined) exam.violate(`of the statistics ${difference}: ${JSON.stringify(json)}`)
    return
  }
  exam.violate(`after ${PATIENCE_MINUTES} minutes the statistics are not up to date`)
}

/** The store is counted in chunks. Who is erased meanwhile must not stay in the totals. */
export async function eraseDuringCount(exam: Examiner, random: Random): Promise<void> {
  // Many chunks.
  await grantAccesses(
    exam,
    Array.from({ length: 6 * exam.model.users.size }, () => exam.now + 400 * DAY_MS),
  )
  await jumpTo(exam, (Math.floor(exam.now / HOLIDAY_STEP_MS) + 8) * HOLIDAY_STEP_MS - MINUTE_MS)
  exam.world.isHoliday = false
  for (let i = 0; i < 5 && exam.model.users.size > 3; i++) {
    await exam.world.sleepUntil((Math.floor(exam.now / MINUTE_MS) + 1) * MINUTE_MS + 30_000)
    const id = random.pick([...exam.model.users.keys()])
    await perform(exam, 'erasure during a count', 'DELETE', { path: `/users/${id}` })
  }
}

/** An event counts on its own day, even if it is counted on the next one. */
export async function createBeforeMidnight(exam: Examiner, random: Random): Promise<void> {
  const midnight = (Math.floor(exam.now / DAY_MS) + 1) * DAY_MS
  await jumpTo(exam, midnight - 20_000)
  await perform(exam, 'user before midnight', 'POST', { path: '/users', body: newPerson(exam, random) })
  await land(exam)
}

/** A store with a database of its own counts when something has changed, and when an access ends. */
const newestOf = (events: Row[]) => Date.parse(String(events.at(-1)?.['timestamp']))

function expectedAt(exam: Examiner, now: number, events: Row[]): Row {
  const { users, products } = exam.model
  const accesses = [...exam.model.accesses.values()]
  const inForce = accesses.filter((access) => isInForce(access, now))
  const listed = [...products.values()].map(({ id, name }) => {
    const count = (list: Access[]) => list.filter(({ product }) => product === id).length
    return { id, name, accesses: count(accesses), in_force: count(inForce) }
  })
  const isEnding = ({ json }: Access) => endOf(json) <= now + 7 * DAY_MS
  return {
    totals: {
      users: users.size,
      accesses: accesses.length,
      in_force: inForce.length,
      ending_in_7_days: inForce.filter(isEnding).length,
    },
    products: listed.toSorted((a, b) => b.accesses - a.accesses || Number(a.id) - Number(b.id)).slice(0, PRODUCTS),
    // If events were deleted, it is not known what was counted.
    ...(exam.oldest === 1 && { days: daysAt(now, events) }),
  }
}

function daysAt(now: number, events: Row[]): Row[] {
  return Array.from({ length: DAYS }, (_, i) => {
    const day = iso(now - (DAYS - 1 - i) * DAY_MS).slice(0, 10)
    const ofDay = events.map(toRow).filter(({ timestamp }) => String(timestamp).startsWith(day))
    const counts = Object.entries(COUNTED).map(([name, type]) => [
      name,
      ofDay.filter((event) => event['type'] === type).length,
    ])
    return { day, ...Object.fromEntries(counts) }
  })
}
