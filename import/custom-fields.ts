/** Reads the custom fields of the store, whose labels may be the headings of a file. */
import { isObject } from '../src/json.ts'
import type { Client } from './client.ts'
import type { CustomField } from './headings.ts'
import { Refused } from './request-errors.ts'

const PAGE = 100

/** Undefined if the token may not read them. Throws Refused for every other response that is an error. */
export async function readCustomFields({ call }: Pick<Client, 'call'>): Promise<CustomField[] | undefined> {
  const fields: CustomField[] = []
  try {
    for (let after = ''; ;) {
      const { body } = await call(
        'GET',
        `/custom_fields?limit=${PAGE}${after && `&after=${encodeURIComponent(after)}`}`,
      )
      const { data, next } = isObject(body) ? body : {}
      fields.push(...(Array.isArray(data) ? data.flatMap(toCustomField) : []))
      if (typeof next !== 'string') return fields
      after = next
    }
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return undefined
    throw error
  }
}

function toCustomField(record: unknown): CustomField[] {
  if (!isObject(record) || typeof record['key'] !== 'string') return []
  const { key, label } = record
  return [{ key, label: typeof label === 'string' ? label : null }]
}
