/** The ETags that the examiner knows. */
import { type Row, toRow } from '../rows.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'

/**
 * A batch shows no ETags, so the records that it has changed are read one by one. An ETag stands for one state of a record,
 * or an `If-Match` would overwrite a change that its sender has not seen.
 */
export async function readEtags(exam: Examiner): Promise<void> {
  const { model } = exam
  const read = async (path: string, json: () => object) => {
    const expected = { status: 200, json: () => toRow(json()) }
    const exchange = await exam.send('read again', requestOf(ROOT, 'GET', model.slug, path), expected)
    return exchange.headers.get('ETag') ?? ''
  }
  for (const [id, user] of model.users) {
    if (user.etag === '') user.etag = await read(`/users/${id}`, () => user.json)
    noteState(exam, `user ${id}`, user)
  }
  for (const [id, access] of model.accesses) {
    if (access.etag === '') access.etag = await read(`/product_accesses/${id}`, () => model.accessJson(access))
    noteState(exam, `access ${id}`, access)
  }
}

function noteState(exam: Examiner, record: string, { etag, json }: { etag: string; json: Row }): void {
  const state = JSON.stringify(Object.entries(json).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const known = exam.model.states.get(`${record} ${etag}`)
  if (known !== undefined && known !== state)
    exam.violate(`${record} has the ETag ${etag} in two states: ${known} and ${state}`)
  exam.model.states.set(`${record} ${etag}`, state)
}
