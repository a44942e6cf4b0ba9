/** The tasks about bulk changes. These only count: what bulk changes do to accesses is checked in the storm (check-bulk.ts). */
import type { Random } from '../world/random.ts'
import type { Examiner, Expected, Made, Prepared } from './examiner.ts'
import { NO_ID, notFound, ofStore, type Task } from './task.ts'

/** After this time, a bulk change of a few accesses has ended. */
const ENDED_MS = 30_000

function prepareCreate(exam: Examiner, random: Random): Prepared {
  const path = '/bulk_changes'
  if (random.chance(0.2)) {
    const body = { filter: {}, change: { extend_days: 0 }, dry_run: true }
    return { path, body, expected: { status: 422, code: 'invalid_parameter', fields: ['change.extend_days'] } }
  }
  const body = { filter: { status: 'with_access' }, change: { extend_days: 30 }, dry_run: true }
  const expected: Expected = { status: 202, json: ({ id }) => ({ ...body, id, reverts: null }) }
  return { path, body, expected, apply: ({ id, at }: Made) => void exam.model.bulkChanges.set(id, at) }
}

function prepareList(exam: Examiner): Prepared {
  const ids = [...exam.model.bulkChanges.keys()].toReversed()
  return {
    path: '/bulk_changes?limit=100',
    expected: { status: 200, json: () => ({ data: ids.map((id) => ({ id })), next: null }) },
  }
}

function prepareRead(exam: Examiner): Prepared {
  const [id = NO_ID, at = Infinity] = [...exam.model.bulkChanges].at(-1) ?? []
  if (id === NO_ID) return { path: `/bulk_changes/${NO_ID}`, expected: notFound }
  const ended = at + ENDED_MS < exam.now ? { state: 'done', progress: 100 } : {}
  return { path: `/bulk_changes/${id}`, expected: { status: 200, json: () => ({ id, ...ended }) } }
}

function prepareCancel(exam: Examiner): Prepared {
  const [id] = [...exam.model.bulkChanges].find(([, at]) => at + ENDED_MS < exam.now) ?? []
  if (id === undefined) return { path: `/bulk_changes/${NO_ID}/cancel`, expected: notFound }
  return { path: `/bulk_changes/${id}/cancel`, expected: { status: 422, code: 'not_running', fields: ['id'] } }
}

/** The revert of a dry run has nothing to do. A bulk change is reverted once. */
function prepareRevert(exam: Examiner, random: Random): Prepared {
  const { bulkChanges, revertedBulkChanges } = exam.model
  const ended = [...bulkChanges].filter(([, at]) => at + ENDED_MS < exam.now).map(([id]) => id)
  const reverts = ended.find((id) => !revertedBulkChanges.has(id))
  const reverted = ended.find((id) => revertedBulkChanges.has(id))
  if (reverted !== undefined && (reverts === undefined || random.chance(0.3)))
    return { path: `/bulk_changes/${reverted}/revert`, expected: { status: 422, code: 'not_done', fields: ['id'] } }
  if (reverts === undefined) return { path: `/bulk_changes/${NO_ID}/revert`, expected: notFound }
  const expected: Expected = { status: 202, json: ({ id }) => ({ id, reverts, filter: null, change: null }) }
  return {
    path: `/bulk_changes/${reverts}/revert`,
    expected,
    apply: ({ id, at }: Made) => {
      bulkChanges.set(id, at)
      revertedBulkChanges.add(reverts)
    },
  }
}

export const BULK_TASKS: Task[] = [
  ...ofStore('POST /bulk_changes', prepareCreate),
  ...ofStore('GET /bulk_changes', prepareList),
  ...ofStore('GET /bulk_changes/{id}', prepareRead),
  ...ofStore('POST /bulk_changes/{id}/cancel', prepareCancel),
  ...ofStore('POST /bulk_changes/{id}/revert', prepareRevert),
]
