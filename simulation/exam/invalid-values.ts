/**
 * Values just beyond what the OpenAPI document allows: too short, too long, too large, of another type. Each must be
 * rejected, and the error must name the field.
 */
import type { Client } from '../clients/client.ts'
import { describe } from '../clients/history.ts'
import { type Input, inputsOf, type Schema } from '../operations.ts'
import type { Random } from '../world/random.ts'
import { toRow } from '../rows.ts'
import { type Examiner, fieldsOf, type Prepared } from './examiner.ts'
import { callersWith } from './keepers.ts'
import { TASKS } from './run-task.ts'
import { toRequest } from './task.ts'

const TASKS_OF_A_RUN = 5
const TRIES = 5
const withInputs = TASKS.map((task) => ({ task, inputs: inputsOf(task.operation) })).filter(
  ({ inputs }) => inputs.length > 0,
)

export async function sendInvalidValues(exam: Examiner, _: Client, random: Random): Promise<void> {
  for (let i = 0; i < TASKS_OF_A_RUN; i++) {
    const { task, inputs } = random.pick(withInputs)
    const caller = random.pick(callersWith(exam, task))
    await exam.pass(1)
    const prepared = Array.from({ length: TRIES }, () => task.prepare(exam, random, caller)).find(
      ({ expected }) => expected.status < 300,
    )
    if (!prepared) continue
    for (const input of inputs) {
      for (const value of invalidValues(input)) {
        const sent = await exam.send(
          `invalid ${input.name}`,
          toRequest(exam, task, prepared.caller ?? caller, withValue(prepared, input, value)),
          { status: 422, code: 'invalid_parameter' },
        )
        const names = fieldsOf(sent.json)
        if (!names.map(String).some((name) => name === input.name || name.startsWith(`${input.name}.`)))
          exam.violate(`the error does not name ${input.name}: ${describe(sent)}`)
      }
    }
  }
}

function withValue(prepared: Prepared, { name, isQuery }: Input, value: unknown): Prepared {
  if (!isQuery) return { ...prepared, body: { ...toRow(prepared.body), [name]: value } }
  const [path = '', query] = prepared.path.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set(name, String(value))
  return { ...prepared, path: `${path}?${parameters.toString()}` }
}

function invalidValues({ schema, isQuery }: Input): unknown[] {
  const values = beyond(schema)
  const isInteger = schema.type === 'integer'
  if (!isQuery) return isInteger ? [...values, '1'] : values
  // In a query everything is text, so a number is only wrong where one is expected.
  return values.filter((value) => typeof value === 'string' || isInteger)
}

/** None if the schema does not limit its values. */
function beyond(schema: Schema): unknown[] {
  const { anyOf, format, minLength, maxLength, minimum, maximum, minItems, pattern } = schema
  if (schema.enum) return ['nobody']
  // A value of another type may be one of the alternatives.
  if (anyOf) return anyOf.flatMap((each) => (each.maxLength === undefined ? [] : ['x'.repeat(each.maxLength + 1)]))
  const types = new Set([schema.type].flat())
  if (types.has('integer'))
    return [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1]), 1.5, 'x']
  if (types.has('boolean')) return ['true', 0]
  if (types.has('array')) return ['x', 7, ...(minItems === 1 ? [[]] : [])]
  if (types.has('object')) return ['x', 7, []]
  if (!types.has('string')) return []
  return [
    7,
    ...(minLength === 1 ? ['', ' \u3000'] : []),
    ...(minLength !== undefined && minLength > 1 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(format === 'date-time' ? ['2027-02-30T00:00:00Z', '2027-01-01'] : []),
    ...(format === 'email' ? ['nobody', 'nobody@example'] : []),
    ...(pattern === undefined ? [] : ['#']),
  ]
}
