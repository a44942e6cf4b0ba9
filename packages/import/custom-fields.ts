/** Reads the custom fields of the store, whose labels may be the headings of a file. */
import { isObject } from '../../src/lib/json.ts'
import type { Client } from './client.ts'
import type { CustomField } from './headings.ts'
import { listPages } from './pages.ts'

/** Undefined if the token may not read them. Throws Refused for every other response that is an error. */
export function readCustomFields(client: Pick<Client, 'call'>): Promise<CustomField[] | undefined> {
  return listPages(client, '/custom_fields', toCustomField)
}

function toCustomField(record: unknown): CustomField[] {
  if (!isObject(record) || typeof record['key'] !== 'string') return []
  const { key, label } = record
  return [{ key, label: typeof label === 'string' ? label : null }]
}
