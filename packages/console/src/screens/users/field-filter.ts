/** The filter by the value of one custom field, as it is in the URL and in the API. */
import { type Search, textIn } from '../../address.ts'

export interface FieldFilter {
  /** The key of a custom field. */
  field?: string
  value?: string
}

/** A key without a value selects nobody, so it is no filter yet. */
export function fieldFilter(search: Search): FieldFilter {
  const [field, value] = [textIn(search['field']), textIn(search['value'])]
  return field === undefined ? {} : { field, ...(value !== undefined && { value }) }
}

export function fieldQuery({ field, value }: FieldFilter): { custom_fields?: Record<string, string> } {
  return field === undefined || value === undefined ? {} : { custom_fields: { [field]: value } }
}
