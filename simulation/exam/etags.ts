/** The ETags that the examiner knows. */
import type { Row } from '../rows.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'

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
