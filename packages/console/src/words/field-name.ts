import type { Words } from './words.ts'

/**
 * Returns the name of an API field in the operator's language. A custom field has no translation and is shown by its
 * key.
 */
export function fieldName(field: string, { fieldNames }: Words): string {
  const known = Object.entries(fieldNames).find(([name]) => name === field)
  return known ? known[1] : field.replace(/^custom_fields\./, '')
}
