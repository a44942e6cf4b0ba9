/**
 * Many records in one request (contract, section 12). Each item ends as its single create would: user-batch.ts and
 * access-batch.ts.
 */
import { BATCH } from '../../../src/limits.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import { isObject, missingOf } from './input.ts'
import { type Call, newId, type Operation, type Outcome } from './operation.ts'
import type { Event, State } from './state.ts'
import * as values from './values.ts'

/** The outcome of an item. */
export interface Result {
  status: number
  code?: string
  /** The fields that the error names, if it is said which. */
  fields?: string[]
  /** Of the record that was created, or of the one that exists. */
  id?: string
  events?: Event[]
}

export const invalidItem = (fields: string[]): Result => ({ status: 422, code: 'invalid_parameter', fields })
export const missingInItem = ([field = '']: string[]): Result => ({
  status: 400,
  code: 'missing_parameter',
  fields: [field],
})

/** As the error of a request: one missing field, or each invalid one. */
function errorOf({ status, code, fields }: Result): Row | undefined {
  if (code === undefined) return undefined
  const details = fields?.map((field) => ({ field }))
  return { code, ...(details && { details: status === 400 ? details[0] : details }) }
}

/** An item that is being processed. */
export interface Item {
  state: State
  call: Call
  item: Row
  index: number
  onExisting: string
  /** The emails, or users and products, of the items that were accepted: a later item may not name them again. */
  accepted: Set<string>
}

function perform(one: (item: Item) => Result) {
  return (store: State, call: Call): Outcome => {
    const { items, on_existing } = call.body
    const onExisting = typeof on_existing === 'string' ? on_existing : 'fail'
    // A dry run returns the same, and changes nothing.
    const isDryRun = call.body['dry_run'] === true
    const state = isDryRun ? store.copy() : store
    const accepted = new Set<string>()
    const results = toRows(items).map((item, index) => one({ state, call, item, index, onExisting, accepted }))
    const shown = results.map((result, index) => {
      const { status, id } = result
      const error = errorOf(result)
      // At the second attempt, an item may be rejected for another reason, or because its record was erased since.
      if (call.drawn.wasResent && (error || isRejectedLate(call, index, status))) return { index }
      const isNew = status === 201 && isDryRun
      return { index, status, error, ...((isNew || id !== undefined) && { id: isNew ? undefined : id }) }
    })
    const events = isDryRun ? [] : results.flatMap((result) => result.events ?? [])
    return { status: 200, body: { dry_run: isDryRun, results: shown }, events }
  }
}

/** True if the response rejects an item that had an existing record, or whose new record is not there any more. */
function isRejectedLate({ drawn }: Call, index: number, status: number): boolean {
  const { error } = toRows(drawn.json['results'])[index] ?? {}
  return error !== undefined && (status === 200 || toRow(error)['code'] === 'not_found')
}

/** The id of a new record: in the result of its item, or in the event of its creation. */
export function drawnId({ state, call: { body, drawn } }: Item, shown: unknown, type: string, ids: Row): string {
  if (body['dry_run'] === true) return newId(state, state.lastId + 1)
  const created = drawn.events
    .filter((event) => event['type'] === type)
    .map(({ data }) => toRow(data))
    .filter((data) => Object.entries(ids).every(([name, id]) => data[name] === id))
    .map(({ user_id, product_access_id }) => (type === 'user.created' ? user_id : product_access_id))
  return newId(state, shown ?? created.find((id) => Number(id) > state.lastId))
}

/** What the response shows as the id of the item's record. */
export const shownId = ({ call, index }: Item) => toRows(call.drawn.json['results'])[index]?.['id']

const items = values.rule((value) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > BATCH.items || !value.every(isObject)) return false
  return toRows(value).filter(({ password }) => password != null).length <= BATCH.passwords
})

export function batchOf(scope: string, one: (item: Item) => Result): Operation {
  return {
    scope,
    role: 'office',
    body: {
      items,
      dry_run: values.optional(values.boolean),
      on_existing: values.optional(values.oneOf(['fail', 'skip', 'update'])),
      never_shorten: values.optional(values.boolean),
    },
    required: missingOf('items'),
    perform: perform(one),
  }
}
