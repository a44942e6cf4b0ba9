/** A store that is suspended: it rejects its tokens, and the list of stores shows it. */
import { toRows } from '../rows.ts'
import { type Examiner, ROOT } from './examiner.ts'
import { perform } from './perform.ts'

/** An operator ends the suspension of the store, if it is suspended. */
export async function endSuspension(exam: Examiner): Promise<void> {
  if (exam.model.suspended)
    await perform(exam, 'end of the suspension', 'PATCH', { path: '', body: { suspended: false } })
}

/** A store with a database of its own reports its changes to the directory within this time. */
const REPORTED_MS = 150_000

/** The list of stores shows whether a store is suspended, wherever it lives. */
export async function listSuspended(exam: Examiner): Promise<void> {
  const { slug } = exam.model
  for (const suspended of [true, false]) {
    await perform(exam, 'suspension', 'PATCH', { path: '', body: { suspended } })
    await exam.pass(1000)
    // What is so already is no change, and has no event.
    await perform(exam, 'the same again', 'PATCH', { path: '', body: { suspended } })
    await exam.pass(REPORTED_MS)
    const list = { method: 'GET', path: '/admin/stores?limit=100', token: ROOT.secret ?? '' }
    const { json } = await exam.send('stores', list)
    const row = toRows(json['data']).find(({ id }) => id === slug)
    if (row?.['suspended'] !== suspended)
      exam.violate(`the list shows ${JSON.stringify(row)}: suspended is ${suspended}`)
  }
}
