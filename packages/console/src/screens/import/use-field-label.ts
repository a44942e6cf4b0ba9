import { useCustomFields } from '../../api/custom-fields.ts'
import { CUSTOM_FIELD } from '../../import/engine.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { fieldLabel } from './field-label.ts'

/** Like `fieldLabel`, but a custom field is named by its own label if it has one. */
export function useFieldLabel(): (field: string) => string {
  const words = useWords()
  const { data = [] } = useCustomFields(useStore())
  const labels = new Map(data.map(({ key, label }) => [CUSTOM_FIELD + key, label]))
  return (field) => labels.get(field) ?? fieldLabel(field, words)
}
