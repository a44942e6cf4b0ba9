/** Checks what every response has, whatever the operation is: its headers, and the envelope of an error. */
import { describe, type Exchange, type History } from '../clients/history.ts'
import { toRow } from '../rows.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function checkResponses({ exchanges }: History): string[] {
  const ids = new Set<string>()
  return exchanges.flatMap((exchange) => {
    if (exchange.status === undefined) return []
    const id = exchange.headers.get('X-Request-Id') ?? ''
    const isNew = UUID.test(id) && !ids.has(id)
    ids.add(id)
    const violations = [...(isNew ? [] : [`the request id is ${id}`]), ...problemsOf(exchange, id)]
    return violations.map((text) => `${text}: ${describe(exchange)}`)
  })
}

function problemsOf({ status = 0, headers, json, text, request }: Exchange, id: string): string[] {
  const problems: string[] = []
  if (headers.get('Cache-Control') !== 'no-store') problems.push(`Cache-Control is ${headers.get('Cache-Control')}`)
  if (headers.get('X-Content-Type-Options') !== 'nosniff') problems.push('nosniff is missing')
  if (status === 204 && text !== '') problems.push('a 204 has a body')
  if ((status === 503 || status === 429) && !/^\d+$/.test(headers.get('Retry-After') ?? ''))
    problems.push('Retry-After is missing')
  if (status < 400) return problems
  const isV3 = request.path.startsWith('/v3/')
  if (json['request_id'] !== id) problems.push(`the body has the request id ${String(json['request_id'])}`)
  if ('log_id' in json === isV3) problems.push('log_id must be there, and not on v3')
  if (typeof json['message'] !== 'string' || typeof json['timestamp'] !== 'string')
    problems.push('the envelope is incomplete')
  return [...problems, ...problemsOfDetails(status, json['details'])]
}

/** An object for a problem of the request, a list for invalid fields, and nothing for all others. */
function problemsOfDetails(status: number, details: unknown): string[] {
  if (status === 422) {
    const isList = Array.isArray(details) && details.length > 0
    const isComplete =
      isList &&
      details
        .map(toRow)
        .every((each) => ['field', 'value', 'explanation'].every((name) => typeof each[name] === 'string'))
    return isComplete ? [] : ['the details are not a list of fields']
  }
  if (status !== 400 && status !== 410) return details === undefined ? [] : ['there are details']
  return typeof toRow(details)['field'] === 'string' ? [] : ['the details name no field']
}
