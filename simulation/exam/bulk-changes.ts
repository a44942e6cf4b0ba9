/** The tasks about bulk changes. These only count: what bulk changes do to accesses is tried in bulk-effects.ts. */
import type { Random } from '../world/random.ts'
import type { Examiner, Prepared } from './examiner.ts'
import { NO_ID, notFound, ofStore, type Task } from './task.ts'

/** After this time, a bulk change of a few accesses has ended. */
const ENDED_MS = 30_000

function prepareCreate(_: Examiner, random: Random): Prepared {
  const change = { extend_days: random.chance(0.2) ? 0 : 30 }
  return { path: '/bulk_changes', body: { filter: { status: 'with_access' }, change, dry_run: true } }
}

const ended = ({ model, now }: Examiner) =>
  [...model.bulkChanges].filter(([, at]) => at + ENDED_MS < now).map(([id]) => id)

function prepareCancel(exam: Examiner): Prepared {
  const [id] = ended(exam)
  if (id === undefined) return { path: `/bulk_changes/${NO_ID}/cancel`, expected: notFound }
  return { path: `/bulk_changes/${id}/cancel`, expected: { status: 422, code: 'not_running', fields: ['id'] } }
}

/** The revert of a dry run has nothing to do. A bulk change is reverted once. */
function prepareRevert(exam: Examiner, random: Random): Prepared {
  const isFresh = (id: string) => !exam.model.revertedBulkChanges.has(id)
  const ids = ended(exam)
  const id = ids.find((each) => isFresh(each) !== random.chance(0.3)) ?? ids[0] ?? NO_ID
  return { path: `/bulk_changes/${id}/revert` }
}

export const BULK_TASKS: Task[] = [
  ...ofStore('POST /bulk_changes', prepareCreate),
  ...ofStore('GET /bulk_changes', () => ({ path: '/bulk_changes?limit=100' })),
  ...ofStore('GET /bulk_changes/{id}', ({ model }) => ({
    path: `/bulk_changes/${[...model.bulkChanges.keys()].at(-1) ?? NO_ID}`,
  })),
  ...ofStore('POST /bulk_changes/{id}/cancel', prepareCancel),
  ...ofStore('POST /bulk_changes/{id}/revert', prepareRevert),
]
