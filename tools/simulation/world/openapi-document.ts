/** The service's own OpenAPI document. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const DOCUMENT_TEXT = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'src', 'assets', 'openapi.json'),
  'utf8',
)

/** Every scope that a token may have. */
export const SCOPES = valuesBeside('users:erase')

/** Every status that an access may have. */
export const STATUSES = valuesBeside('with_access')

/** The values of the enumeration that has this one. */
function valuesBeside(known: string): readonly string[] {
  const [, values = ''] = new RegExp(`"enum":\\s*\\[([^\\]]*"${known}"[^\\]]*)\\]`).exec(DOCUMENT_TEXT) ?? []
  return values
    .split(',')
    .map((quoted) => quoted.replaceAll(/[\s"]/g, ''))
    .filter((value) => value !== 'null')
}
