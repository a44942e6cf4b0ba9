/** What scenarios share: they send requests as the root, let time pass, and read what a request does not show. */
import { HOLIDAY_STEP_MS } from '../world/crons.ts'
import type { Row } from '../rows.ts'
import { type Examiner, type Prepared, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'

/** Passes the time until then, with few runs of the jobs. */
export async function jumpTo(exam: Examiner, time: number): Promise<void> {
  exam.world.isHoliday = true
  await exam.world.sleepUntil(time)
  exam.world.isHoliday = false
}

/** After a jump, the jobs run every minute again from the next hour of their steps on. */
export async function land(exam: Examiner): Promise<void> {
  await exam.world.sleepUntil(Math.ceil(exam.now / HOLIDAY_STEP_MS) * HOLIDAY_STEP_MS + 2 * 60_000)
}

/** Sends a request of the root, of which the reference knows what must come. */
export async function perform(exam: Examiner, label: string, method: string, prepared: Prepared): Promise<Row> {
  const { path, body, headers } = prepared
  const request = {
    ...requestOf(ROOT, method, exam.model.slug, path),
    ...(body && { body }),
    ...(headers && { headers }),
  }
  return (await exam.send(label, request)).json
}

/** An operator ends the suspension of the store, if it is suspended. */
export async function endSuspension(exam: Examiner): Promise<void> {
  if (exam.model.suspended)
    await perform(exam, 'end of the suspension', 'PATCH', { path: '', body: { suspended: false } })
}

/**
 * A batch shows no ETags, so the records that it has changed are read one by one. An ETag stands for one state of a record,
 * or an `If-Match` would overwrite a change that its sender has not seen.
 */
export async function readEtags(exam: Examiner): Promise<void> {
  const lists = { users: exam.model.users, product_accesses: exam.model.accesses }
  for (const [list, records] of Object.entries(lists)) {
    for (const [id, record] of records) {
      if (record.etag === '') await exam.send('read again', requestOf(ROOT, 'GET', exam.model.slug, `/${list}/${id}`))
      noteState(exam, `${list} ${id}`, record)
    }
  }
}

function noteState(exam: Examiner, record: string, { etag, json }: { etag: string; json: Row }): void {
  const state = JSON.stringify(Object.entries(json).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const known = exam.model.seen.get(`${record} ${etag}`)
  if (known !== undefined && known !== state)
    exam.violate(`${record} has the ETag ${etag} in two states: ${known} and ${state}`)
  exam.model.seen.set(`${record} ${etag}`, state)
}
