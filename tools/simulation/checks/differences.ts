/** Compares responses and events with what the reference says. */
import type { Exchange } from '../clients/history.ts'
import { readCsv } from '../reference/files.ts'
import type { Outcome } from '../reference/operation.ts'
import { iso, type SentEvent, type State } from '../reference/state.ts'
import { toV1, toV3 } from '../reference/user-fields.ts'
import { type Row, dataOf, toRow, toRows } from '../rows.ts'
import { findDifference } from './compare-json.ts'

/** Returns what is first not as the reference says; undefined if nothing is. */
export function difference(
  { status, json, text, headers }: Exchange,
  outcome: Outcome | undefined,
): string | undefined {
  if (!outcome) return 'there is no such record'
  const { code, fields, file, body } = outcome
  if (status !== outcome.status) return `the status is ${status}, not ${outcome.status} ${code ?? ''}`
  if (code !== undefined && json['code'] !== code) return `the code is not ${code}`
  if (fields && String(fieldsOf(json)) !== String(fields)) return `the invalid fields are not ${String(fields)}`
  if (outcome.text !== undefined && text !== outcome.text) return `the text is not ${outcome.text}`
  for (const [name, value] of Object.entries(outcome.headers ?? {})) {
    const sent = headers.get(name)
    if (sent !== value) return `${name} is ${sent}, not ${value}`
  }
  if (file) return findDifference(readCsv(text, file.separator), file.rows)
  return body && findDifference(json, body)
}

/** The fields that an error names. */
function fieldsOf({ details }: Row): unknown[] {
  return Array.isArray(details) ? toRows(details).map(({ field }) => field) : [toRow(details)['field']]
}

export function differenceOfEvents(actual: Row[], expected: SentEvent[]): string | undefined {
  return findDifference(
    actual.map(toComparable),
    expected.map(({ at, requestId, ...event }) =>
      toComparable({ ...event, timestamp: iso(at), request_id: requestId }),
    ),
  )
}

/** The order of the names of fields says nothing, and an update of an endpoint may show different details. */
function toComparable(event: Row): Row {
  const { fields, changes, ...ids } = dataOf(event)
  const data =
    event['type'] === 'webhook_endpoint.updated'
      ? ids
      : { ...ids, changes, fields: Array.isArray(fields) ? fields.map(String).toSorted() : undefined }
  return { ...event, data }
}

/** How a response shows the record that it names, as the record is now; undefined if there is none. */
export function shownNow(state: State, { request: { path }, json, status = 0 }: Exchange): Outcome | undefined {
  const id = String(json['id'])
  const access = path.includes('/product_accesses') ? state.accesses.get(id) : undefined
  const user = path.includes('/users') ? state.users.get(id) : undefined
  const token = path.includes('/tokens/') ? state.tokens.get(id) : undefined
  if (token) return { status, body: { ...token.json, token: json['token'] } }
  if (access) return { status, body: state.accessJson(access), headers: { ETag: access.etag } }
  return user && { status, body: path.startsWith('/v3/') ? toV3(user) : toV1(user), headers: { ETag: user.etag } }
}
