/** What several exams share: they send a request as the root, and let time pass. */
import { HOLIDAY_STEP_MS } from '../world/crons.ts'
import type { Row } from '../rows.ts'
import { type Examiner, type Prepared, requestOf, ROOT } from './examiner.ts'

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
