/** Runs tasks of the examiner: first something that must be rejected, sometimes, and then the task itself. */
import { describe } from '../clients/history.ts'
import type { Random } from '../world/random.ts'
import { ACCESS_TASKS } from './accesses.ts'
import { BATCH_TASKS } from './batches.ts'
import { BULK_TASKS } from './bulk-changes.ts'
import { ENDPOINT_TASKS } from './endpoints.ts'
import type { Examiner } from './examiner.ts'
import { readEtags, endSuspension } from './perform.ts'
import { LIST_TASKS } from './lists.ts'
import { vary, invalidValues, valuesOf, withValue } from './generate.ts'
import { decide } from './decide.ts'
import { readsWithout } from './reads.ts'
import { pickRejection } from './rejections.ts'
import { STORE_TASKS } from './stores.ts'
import { type Task, toRequest } from './task.ts'
import { callersWith, callerWith, ensureTokens } from './keepers.ts'
import { TOKEN_TASKS } from './tokens.ts'
import { USER_TASKS } from './users.ts'
import { inputsOf } from '../operations.ts'

const WRITTEN: readonly Task[] = [
  ...USER_TASKS,
  ...ACCESS_TASKS,
  ...BATCH_TASKS,
  ...STORE_TASKS,
  ...TOKEN_TASKS,
  ...ENDPOINT_TASKS,
  ...LIST_TASKS,
  ...BULK_TASKS,
]

export const TASKS: readonly Task[] = [...WRITTEN, ...readsWithout(WRITTEN)]

/** Runs one task, with this fault of a database if one is given. Returns false if the request did not need the database. */
export async function runTask(exam: Examiner, task: Task, random: Random, fault?: string): Promise<boolean> {
  await exam.pass(random.pick([1, 300, 2000]))
  await ensureTokens(exam)
  await leaveSuspension(exam, task, random)
  if (random.chance(0.5)) {
    const rejection = await pickRejection(exam, task, random)
    if (rejection) await exam.send(`${task.operation} ${rejection.why}`, rejection.request)
    await exam.pass(1)
  }
  const only = task.known.scope !== undefined && random.chance(0.3) && task.mount !== 'admin'
  // A batch with nested accesses would need a second scope; these have none.
  const caller =
    (only ? await callerWith(exam, 'only', task.known.scope ?? '') : undefined) ?? random.pick(callersWith(exam, task))
  const drawn = toRequest(exam, task, caller, task.prepare(exam, random, caller))
  const request = task.known.takesTime || random.chance(0.8) ? drawn : vary(task.operation, drawn, random)
  const name = exam.name(task.operation)
  if (fault !== undefined) exam.world.forcedFault = { actor: name, what: databaseOf(exam, task, random), kind: fault }
  const exchange = await exam.history.send(name, request)
  const isForced = fault !== undefined && exam.world.forcedFault === undefined
  exam.world.forcedFault = undefined
  if (isForced && (exchange.status === undefined || exchange.status === 503)) {
    checkFailure(exam, describe(exchange), fault, exchange.headers.get('Retry-After'), exchange.status)
    await decide(exam, exchange)
    return true
  }
  await exam.refer(exchange)
  await readEtags(exam)
  return isForced
}

/** A database that the request may need. An operator's request for a store with its own database needs both. */
function databaseOf(exam: Examiner, { operation, mount }: Task, random: Random): string {
  if (operation === 'POST /admin/stores') return random.pick(['D1', 'object'])
  if (!exam.hasOwnPlace || mount === 'none') return 'D1'
  if (mount !== 'admin') return 'object'
  return operation.includes('{store_id}') ? random.pick(['D1', 'object']) : 'D1'
}

/** After these faults the service must succeed all the same: it sends the batch again. */
const RETRIED = new Set(['the batch is lost', 'the answer is lost', 'the connection is lost, and the batch arrives'])

function checkFailure(exam: Examiner, text: string, fault: string, retryAfter: string | null, status?: number): void {
  if (status === undefined && !fault.startsWith('the instance dies'))
    exam.violate(`there is no response after a fault (${fault}): ${text}`)
  if (RETRIED.has(fault)) exam.violate(`the request failed after one fault (${fault}): ${text}`)
  if (status === 503 && retryAfter === null) exam.violate(`a 503 has no Retry-After: ${text}`)
}

/** While the store is suspended, every request with a token is rejected. */
async function leaveSuspension(exam: Examiner, task: Task, random: Random): Promise<void> {
  if (!exam.model.suspended || task.mount === 'admin') return
  const caller = random.pick(callersWith(exam, task))
  const request = toRequest(exam, task, caller, task.prepare(exam, random, caller))
  if (task.mount !== 'none') await exam.send('while suspended', request)
  await endSuspension(exam)
}

const TASKS_OF_A_RUN = 6

/** Sends every generated value to a few operations. Consecutive seeds take consecutive operations. */
export async function sendGenerated(exam: Examiner, seed: number, random: Random): Promise<void> {
  const withInputs = TASKS.filter(({ operation }) => inputsOf(operation).length > 0)
  for (let i = 0; i < TASKS_OF_A_RUN; i++) {
    const [task] = withInputs.slice((seed * TASKS_OF_A_RUN + i) % withInputs.length)
    if (task) await sendValues(exam, task, random)
    // The next task may send the ETag of a record that a batch has changed.
    await readEtags(exam)
    await endSuspension(exam)
    await ensureTokens(exam)
  }
}

async function sendValues(exam: Examiner, task: Task, random: Random): Promise<void> {
  const caller = random.pick(callersWith(exam, task))
  const request = toRequest(exam, task, caller, task.prepare(exam, random, caller))
  for (const input of inputsOf(task.operation)) {
    for (const value of task.known.takesTime ? invalidValues(input) : valuesOf(input)) {
      await exam.pass(1)
      await exam.send(`generated ${input.name}`, withValue(request, input, value))
    }
  }
}
