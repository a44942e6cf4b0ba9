/** The statistics, once everything has been counted, and what may be counted wrongly. The reference compares them. */
import { DAY_MS } from '../contract.ts'
import { HOLIDAY_STEP_MS } from '../world/crons.ts'
import type { Random } from '../world/random.ts'
import { grantAccesses } from './announcements.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { newPerson } from './people.ts'
import { jumpTo, land, perform } from './perform.ts'

const MINUTE_MS = 60_000
/** By then, the job has caught up with what it counts in small chunks. */
const PATIENCE_MINUTES = 15

/** Waits until they are true of now or, with a database of its own, of a time after the newest event. */
export async function checkStatistics(exam: Examiner): Promise<void> {
  for (let i = 0; i < PATIENCE_MINUTES; i++) {
    const run = (Math.floor(exam.now / MINUTE_MS) + 1) * MINUTE_MS
    await exam.world.sleepUntil(run + 1)
    const { json } = await exam.send('statistics', requestOf(ROOT, 'GET', exam.model.slug, '/stats?days=3'))
    const asOf = Date.parse(String(json['as_of']))
    const newest = Date.parse(String(exam.model.feed.at(-1)?.['timestamp']))
    if (exam.hasOwnPlace ? asOf > newest : asOf === run) return
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
