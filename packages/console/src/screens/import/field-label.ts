import { CUSTOM_FIELD } from '../../import/engine.ts'
import { fieldName } from '../../words/field-name.ts'
import type { Words } from '../../words/words.ts'

/** Returns the name of an import field. A custom field is named by its key. */
export function fieldLabel(field: string, words: Words): string {
  if (field.startsWith(CUSTOM_FIELD)) return field.slice(CUSTOM_FIELD.length)
  const labels: Record<string, string> = words.import.fields
  return (Object.hasOwn(labels, field) ? labels[field] : undefined) ?? fieldName(field, words)
}
