/** Requests with generated values (generate.ts), one value after another. */
import { describe } from '../clients/history.ts'
import type { ApiRequest } from '../contract.ts'
import { type Input, inputsOf } from '../operations.ts'
import type { Random } from '../world/random.ts'
import { type Examiner, fieldsOf } from './examiner.ts'
import { invalidValues, valuesOf, withValue } from './generate.ts'
import { callersWith, ensureTokens } from './keepers.ts'
import { TASKS } from './run-task.ts'
import { endSuspension } from './suspension.ts'
import { type Task, toRequest } from './task.ts'

const TASKS_OF_A_RUN = 6
const TRIES = 5

/** Sends each of these values of some operations in turn. Consecutive seeds take consecutive operations. */
export async function sendGenerated(exam: Examiner, seed: number, random: Random): Promise<void> {
  const withInputs = TASKS.filter(({ operation }) => inputsOf(operation).length > 0)
  for (let i = 0; i < TASKS_OF_A_RUN; i++) {
    const [task] = withInputs.slice((seed * TASKS_OF_A_RUN + i) % withInputs.length)
    if (task) await sendValues(exam, task, random)
    await endSuspension(exam)
    await ensureTokens(exam)
  }
}

async function sendValues(exam: Examiner, task: Task, random: Random): Promise<void> {
  const caller = random.pick(callersWith(exam, task))
  const candidates = Array.from({ length: TRIES }, () => task.prepare(exam, random, caller))
  const prepared = candidates.find(({ expected }) => !expected || expected.status < 300)
  if (!prepared) return
  const request = toRequest(exam, task, prepared.caller ?? caller, prepared)
  for (const input of inputsOf(task.operation)) {
    const isInvalidOnly = prepared.expected !== undefined || task.known.takesTime === true
    for (const value of isInvalidOnly ? invalidValues(input) : valuesOf(input)) {
      await exam.pass(1)
      const sent = withValue(request, input, value)
      if (prepared.expected) await expectInvalid(exam, sent, input)
      else await exam.send(`generated ${input.name}`, sent)
    }
  }
}

async function expectInvalid(exam: Examiner, request: ApiRequest, { name }: Input): Promise<void> {
  const sent = await exam.send(`invalid ${name}`, request, { status: 422, code: 'invalid_parameter' })
  const names = fieldsOf(sent.json).map(String)
  if (!names.some((each) => each === name || each.startsWith(`${name}.`)))
    exam.violate(`the error does not name ${name}: ${describe(sent)}`)
}
