/** Accesses that end: when the crons must announce it, in advance and afterwards, to the millisecond. */
import { DAY_MS } from '../contract.ts'
import { iso } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import { dataOf, type Row } from '../rows.ts'
import type { Examiner } from './examiner.ts'
import { endSuspension, perform } from './perform.ts'

const MINUTE_MS = 60_000
/** More than a chunk of the jobs has here. */
const AT_ONCE = 5
const QUIET_MS = 20 * MINUTE_MS

/** With a notice of 0, nothing is announced in advance. */
export async function announceEnds(exam: Examiner, random: Random): Promise<void> {
  await endSuspension(exam)
  const days = random.pick([0, 3, 10])
  await setNotice(exam, days)
  // By the next run, what the new setting makes due is announced, so that the accesses below are the only ones.
  await exam.world.sleepUntil(nextMinute(exam) + MINUTE_MS + 30_000)
  const run = nextMinute(exam) + MINUTE_MS
  // Until then, nothing else makes the alarm of a store with a database of its own ring.
  const quiet = exam.hasOwnPlace ? [run + days * DAY_MS + QUIET_MS] : []
  const dates = [
    ...quiet,
    run + days * DAY_MS,
    run + days * DAY_MS + 1,
    run,
    ...Array.from({ length: AT_ONCE }, () => run - 1),
  ]
  const since = exam.now
  const ends = await grantAccesses(exam, dates)
  await exam.world.sleepUntil(run + (exam.hasOwnPlace ? QUIET_MS + 2 * MINUTE_MS : MINUTE_MS) + 1000)
  const announced = (await exam.readFeed()).filter(
    (event) => event['type'] !== 'product_access.granted' && ends.has(idOf(event)),
  )
  compare(exam, announced, ends, days, since)
  const [expired = ''] = [...ends].find(([, due]) => due === run - 1) ?? []
  await expireAgain(exam, expired)
}

/** An access that is opened again after its end ends a second time. Its end has not changed its ETag. */
async function expireAgain(exam: Examiner, id: string): Promise<void> {
  const path = `/product_accesses/${id}`
  const changes = [
    { method: 'PATCH', body: { progress: 50 } },
    { method: 'PUT', body: { status: 'without_access' } },
    { method: 'PUT', body: { status: 'with_access' } },
  ]
  for (const { method, body } of changes) {
    await exam.pass(1)
    const headers = { 'If-Match': exam.model.accesses.get(id)?.etag ?? '' }
    await perform(exam, 'opened again', method, { path, headers, body })
  }
  await exam.world.sleepUntil(nextMinute(exam) + MINUTE_MS + 1000)
  const count = (await endsOf(exam, id)).length
  if (count !== 2) exam.violate(`access ${id} was opened again after its end, and has ended ${count} times`)
}

const endsOf = async (exam: Examiner, id: string): Promise<Row[]> =>
  (await exam.readFeed()).filter((event) => event['type'] === 'product_access.expired' && idOf(event) === id)

const idOf = (event: Row) => String(dataOf(event)['product_access_id'])

/** The end of an access is announced normally within two minutes, even if nothing else has happened for long. */
export async function endQuietly(exam: Examiner): Promise<void> {
  const due = exam.now + QUIET_MS
  const [id = ''] = (await grantAccesses(exam, [due])).keys()
  await exam.world.sleepUntil(due + 2 * MINUTE_MS)
  if ((await endsOf(exam, id)).length === 0)
    exam.violate(`the end of access ${id} was not announced within two minutes`)
}

/** The statistics count an access as ending once its end is at most this far away. */
const ENDING_MS = 7 * DAY_MS

/** Nothing but the time makes these accesses end soon, several of them at the same millisecond. The statistics must say so. */
export async function beginToEnd(exam: Examiner): Promise<void> {
  await endSuspension(exam)
  const begin = nextMinute(exam) + MINUTE_MS + ENDING_MS
  const dates = Array.from({ length: AT_ONCE }, (_, i) => begin + i)
  await grantAccesses(exam, [...dates, ...dates.map(() => begin)])
  await exam.world.sleepUntil(begin - ENDING_MS + MINUTE_MS)
}

/** The alarm of a store with a database of its own rings within this time after a change, and a second after an end. */
const ALARM_MS = MINUTE_MS + 1000

/**
 * Each end is announced once, by the first run after it and after the grant. A store with a database of its own announces
 * what is due as soon as its alarm rings. A date has passed once it is earlier, to the millisecond.
 */
function compare(exam: Examiner, announced: Row[], ends: Map<string, number>, days: number, since: number): void {
  const keyOf = (event: Row) => `${String(event['type'])} ${idOf(event)}`
  const times = new Map(announced.map((event) => [keyOf(event), Date.parse(String(event['timestamp']))]))
  if (times.size !== announced.length) exam.violate('an end was announced twice')
  for (const [access, due] of ends) {
    const expected = { expiring: Math.max(since, due - days * DAY_MS), expired: due + 1 }
    for (const [kind, from] of Object.entries(expected)) {
      const at = times.get(`product_access.${kind} ${access}`)
      const run = Math.ceil(from / MINUTE_MS) * MINUTE_MS
      const [first, last] = exam.hasOwnPlace ? [from, from + ALARM_MS] : [run, run]
      const isDue = (kind === 'expired' || (days > 0 && due >= first)) && last < exam.now
      const isWrong = at === undefined ? isDue : at < first || at > last
      if (isWrong) exam.violate(`access ${access} was ${kind} at ${String(at)}, not soon after ${from}`)
    }
  }
}

const nextMinute = ({ now }: Examiner) => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS

const setNotice = (exam: Examiner, expiry_notice_days: number) =>
  perform(exam, 'notice', 'PATCH', { path: '', body: { expiry_notice_days } })

/** Grants an access with each of these dates, by its id. */
export async function grantAccesses(exam: Examiner, dates: readonly number[]): Promise<Map<string, number>> {
  const ends = new Map<string, number>()
  const users = [...exam.model.users.keys()]
  let product = ''
  for (const [i, due] of dates.entries()) {
    await exam.pass(1)
    if (i % users.length === 0) product = await newProduct(exam)
    const body = { user_id: users[i % users.length] ?? '', product_id: product, access_due_date: iso(due) }
    const { id } = await perform(exam, 'access that ends', 'POST', { path: '/product_accesses', body })
    ends.set(String(id), due)
  }
  return ends
}

async function newProduct(exam: Examiner): Promise<string> {
  const slug = exam.slug('ending')
  const { id } = await perform(exam, 'product', 'POST', {
    path: '/products',
    body: { slug, name: slug, type: 'course' },
  })
  return String(id)
}
