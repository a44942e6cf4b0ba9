/** The tasks of reads that need nothing but an id. */
import { OPERATIONS } from '../operations.ts'
import type { State } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import type { Examiner } from './examiner.ts'
import { NO_ID, type Task, taskOf } from './task.ts'

/** The records of a store, by the collection in a path. */
const RECORDS: Readonly<Record<string, (state: State) => ReadonlyMap<string, unknown>>> = {
  users: ({ users }) => users,
  product_accesses: ({ accesses }) => accesses,
  products: ({ products }) => products,
}

const READ = /^GET \/(?:v1|admin)\/stores\/\{store_id\}(\/(\w+)\/\{id\}[^{}]*)$/

/** A task for each read of one record that has none: of a record, or sometimes of none. */
export function readsWithout(tasks: readonly Task[]): Task[] {
  const known = new Set(tasks.map(({ operation }) => operation))
  return OPERATIONS.filter((operation) => !known.has(operation)).flatMap((operation) => {
    const [, path = '', collection = ''] = READ.exec(operation) ?? []
    const recordsIn = RECORDS[collection]
    if (recordsIn === undefined) return []
    const pickId = (exam: Examiner, random: Random) => {
      const ids = [...recordsIn(exam.model).keys()]
      return ids.length === 0 || random.chance(0.05) ? NO_ID : random.pick(ids)
    }
    return [taskOf(operation, (exam, random) => ({ path: path.replace('{id}', pickId(exam, random)) }))]
  })
}
