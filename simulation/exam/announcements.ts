/** Accesses that end: when the crons must announce it, in advance and afterwards, to the millisecond. */
import { DAY_MS } from '../contract.ts'
import { iso } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import { dataOf, type Row, toRow } from '../rows.ts'
import { findDifference } from './compare-json.ts'
import type { Examiner } from './examiner.ts'
import { endSuspension } from './suspension.ts'
import { readFeed } from './decide.ts'
import { perform } from './perform.ts'

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
  const announced = (await readFeed(exam)).filter(
    ({ type, data }) => type !== 'product_access.granted' && ends.has(String(toRow(data)['product_access_id'])),
  )
  const [expired = ''] = [...ends].find(([, { due }]) => due === run - 1) ?? []
  if (exam.hasOwnPlace) {
    compareWithin(exam, announced, ends, days, since)
    return expireAgain(exam, expired)
  }
  const expected = [run - MINUTE_MS, run, run + MINUTE_MS].flatMap((now) => expectedOf(ends, days, now))
  const difference = findDifference(announced.map(shown).toSorted(byTime), expected.toSorted(byTime))
  if (difference !== undefined) exam.violate(`with a notice of ${days} days, of the announced ends ${difference}`)
  await expireAgain(exam, expired)
}

/** An access that is opened again after its end ends a second time. Its end has not changed its ETag. */
async function expireAgain(exam: Examiner, id: string): Promise<void> {
  await makeProgress(exam, id)
  for (const status of ['without_access', 'with_access']) {
    await exam.pass(1)
    const access = exam.model.accesses.get(id)
    if (!access) throw new Error('the access that has ended is unknown')
    await perform(exam, 'opened again', 'PUT', {
      path: `/product_accesses/${id}`,
      headers: { 'If-Match': access.etag },
      body: { status },
    })
  }
  await exam.world.sleepUntil(nextMinute(exam) + MINUTE_MS + 1000)
  const isEnd = ({ type, data }: Row) => type === 'product_access.expired' && toRow(data)['product_access_id'] === id
  const count = (await readFeed(exam)).filter(isEnd).length
  if (count !== 2) exam.violate(`access ${id} was opened again after its end, and has ended ${count} times`)
}

async function makeProgress(exam: Examiner, id: string): Promise<void> {
  await exam.pass(1)
  const access = exam.model.accesses.get(id)
  if (!access) throw new Error('the access that has ended is unknown')
  const [path, headers] = [`/product_accesses/${id}`, { 'If-Match': access.etag }]
  await perform(exam, 'progress after the end', 'PATCH', { path, headers, body: { progress: 50 } })
}

/** The end of an access is announced normally within two minutes, even if nothing else has happened for long. */
export async function endQuietly(exam: Examiner): Promise<void> {
  const due = exam.now + QUIET_MS
  const [id = ''] = (await grantAccesses(exam, [due])).keys()
  await exam.world.sleepUntil(due + 2 * MINUTE_MS)
  const isEnd = ({ type, data }: Row) => type === 'product_access.expired' && toRow(data)['product_access_id'] === id
  if (!(await readFeed(exam)).some(isEnd)) exam.violate(`the end of access ${id} was not announced within two minutes`)
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

/** Such a store announces what is due as soon as its alarm rings. */
function compareWithin(exam: Examiner, announced: Row[], ends: Map<string, End>, days: number, since: number): void {
  const keyOf = ({ type, data }: Row) => `${String(type)} ${String(dataOf({ data })['product_access_id'])}`
  const times = new Map(announced.map((event) => [keyOf(event), Date.parse(String(event['timestamp']))]))
  if (times.size !== announced.length) exam.violate('an end was announced twice')
  for (const [access, { due }] of ends) {
    const expected = { expiring: Math.max(since, due - days * DAY_MS), expired: due + 1 }
    for (const [kind, from] of Object.entries(expected)) {
      const at = times.get(`product_access.${kind} ${access}`)
      const isDue = (kind === 'expired' || days > 0) && from < exam.now - ALARM_MS
      const isWrong = at === undefined ? isDue : at < from || at > from + ALARM_MS
      if (isWrong) exam.violate(`access ${access} was ${kind} at ${String(at)}, not soon after ${from}`)
    }
  }
}

const nextMinute = ({ now }: Examiner) => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS

const setNotice = (exam: Examiner, expiry_notice_days: number) =>
  perform(exam, 'notice', 'PATCH', { path: '', body: { expiry_notice_days } })

interface End {
  due: number
  isAnnounced: boolean
  hasExpired: boolean
}

/** Grants an access with each of these dates, by its id. */
export async function grantAccesses(exam: Examiner, dates: readonly number[]): Promise<Map<string, End>> {
  const ends = new Map<string, End>()
  const users = [...exam.model.users.keys()]
  let product = ''
  for (const [i, due] of dates.entries()) {
    await exam.pass(1)
    if (i % users.length === 0) product = await newProduct(exam)
    const body = { user_id: users[i % users.length] ?? '', product_id: product, access_due_date: iso(due) }
    const { id } = await perform(exam, 'access that ends', 'POST', { path: '/product_accesses', body })
    ends.set(String(id), { due, isAnnounced: false, hasExpired: false })
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

/** What the run at this time announces. A date has passed once it is earlier, to the millisecond. */
function expectedOf(ends: Map<string, End>, days: number, now: number): Row[] {
  return [...ends].flatMap(([access, end]) => {
    const event = (type: string) => [{ type: `product_access.${type}`, access, timestamp: iso(now) }]
    if (!end.hasExpired && end.due < now) {
      end.hasExpired = true
      return event('expired')
    }
    if (end.isAnnounced || end.due < now || days === 0 || end.due > now + days * DAY_MS) return []
    end.isAnnounced = true
    return event('expiring')
  })
}

function shown(event: Row): Row {
  return { type: event['type'], access: dataOf(event)['product_access_id'], timestamp: event['timestamp'] }
}

function byTime(a: Row, b: Row): number {
  const key = ({ timestamp, access }: Row) => `${String(timestamp)} ${String(access).padStart(9)}`
  return key(a) < key(b) ? -1 : 1
}
