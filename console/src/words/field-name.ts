import type { Words } from './index.tsx'

/** What people call a field of the API; a custom field has its key, which the store has chosen. */
export function fieldName(field: string, { fieldNames }: Words): string {
  const known = Object.entries(fieldNames).find(([name]) => name === field)
  return known ? known[1] : field.replace(/^custom_fields\./, '')
}
