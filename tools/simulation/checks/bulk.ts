/** Checks the bulk changes of a store, event by event: what each did to the accesses that it reached, and when. */
import { accessesWhere } from '../reference/lists.ts'
import { afterChange } from '../reference/bulk-changes.ts'
import { type Access, idOf, type State, zoneOf } from '../reference/state.ts'
import { dataOf, type Row, toRow } from '../rows.ts'
import { findDifference } from './compare-json.ts'

interface Reached {
  before: Row
  next: Row
  /** The ETag of the access then: it has no other one until somebody changes it. */
  etag: string
}

interface Course {
  requestId: unknown
  /** The time zone of the store then. */
  zone: string
  reached: Map<string, Reached>
  hasEnded: boolean
}

const shownOf = ({ status, access_due_date }: Row): Row => ({ status, access_due_date })

export class BulkChanges {
  /** As the list shows them at the end. */
  readonly #rows: Map<string, Row>
  readonly #courses = new Map<string, Course>()
  #running = ''

  constructor(rows: readonly Row[]) {
    this.#rows = new Map(rows.map((row) => [idOf(row), row]))
  }

  /** Notes the event of a bulk change, and that of an access with the access as it is afterwards. */
  follow(event: Row, before: Access | undefined, after: Access | undefined, state: State): string | undefined {
    const id = String(dataOf(event)['bulk_change_id'])
    const course = this.#courses.get(id)
    if (event['type'] === 'bulk_change.created') {
      const zone = zoneOf(state)
      this.#courses.set(id, { requestId: event['request_id'], zone, reached: new Map(), hasEnded: false })
      return undefined
    }
    if (!course || course.hasEnded) return 'is outside of its bulk change'
    if (event['type'] !== 'product_access.updated') return this.#end(id, course, state)
    return before && after ? this.#reach(event, id, course, { before, after }) : 'is about no access'
  }

  /** No access is reached twice, and a store runs one bulk change at a time. */
  #reach(event: Row, id: string, course: Course, { before, after }: { before: Access; after: Access }) {
    const { requestId, reached } = course
    const access = idOf(before.json)
    if (event['request_id'] !== requestId) return 'has another request than its bulk change'
    if (this.#running !== id && reached.size > 0) return `comes while ${this.#running} runs`
    this.#running = id
    if (reached.has(access)) return 'changes an access twice'
    const expected = this.#expected(id, before)
    const next = shownOf(after.json)
    reached.set(access, { before: shownOf(before.json), next, etag: after.etag })
    return typeof expected === 'string' ? expected : findDifference(next, expected)
  }

  /** A revert gives back what the first one changed, if the access is as that one left it. */
  #expected(id: string, before: Access): Row | string {
    const { change, reverts, created_at } = this.#rows.get(id) ?? {}
    const at = Date.parse(String(created_at))
    const zone = this.#courses.get(id)?.zone ?? 'UTC'
    if (typeof reverts !== 'string') return afterChange(before, toRow(change), { at, zone })
    const first = this.#courses.get(reverts)?.reached.get(idOf(before.json))
    const isSame = first && findDifference(before.json, first.next) === undefined
    return isSame ? first.before : 'restores an access that has changed'
  }

  /** A revert has restored each access that nobody has changed since. */
  #end(id: string, course: Course, { accesses }: State): string | undefined {
    const { state, reverts } = this.#rows.get(id) ?? {}
    course.hasEnded = true
    const first = this.#courses.get(String(reverts))?.reached ?? []
    const left = [...first].find(([access, { etag }]) => accesses.get(access)?.etag === etag)
    return state === 'done' && left ? `ends without having restored ${left[0]}` : undefined
  }

  /** What the list shows in the end. */
  violations(state: State, canceled: ReadonlySet<string>): string[] {
    const reverted = [...this.#rows.values()].map(({ reverts, state: of }) => (of === 'done' ? reverts : null))
    return [...this.#rows].flatMap(([id, row]) => {
      const { matched, changed, unchanged, filter, reverts, created_at, dry_run, reverted_by } = row
      const isDone = row['state'] === 'done'
      const count = accessesWhere(state, toRow(filter), Date.parse(String(created_at))).length
      const reached = this.#courses.get(id)?.reached.size
      const first = this.#rows.get(String(reverts))
      const problems = [
        ...(isDone || row['state'] === 'canceled' ? [] : [`is ${String(row['state'])}`]),
        ...(canceled.has(id) && row['state'] !== 'canceled' ? ['was canceled'] : []),
        ...(matched === Number(changed) + Number(unchanged) ? [] : ['has counts that do not add up']),
        ...(isDone && reverts === null && matched !== count ? [`matched ${String(matched)}, not ${count}`] : []),
        ...(dry_run === true || reached === changed ? [] : [`counts ${String(changed)} changes, not ${reached}`]),
        ...(isDone && first && first['reverted_by'] !== id ? ['is not noted as a revert'] : []),
        ...(reverted.filter((each) => each === id).length > 1 ? [`was reverted twice, by ${String(reverted_by)}`] : []),
        ...(this.#courses.get(id)?.hasEnded === false ? ['has no event of its end'] : []),
      ]
      return problems.map((problem) => `bulk change ${id} ${problem}`)
    })
  }
}
