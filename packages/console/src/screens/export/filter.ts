/** The filters of the two files, as they are in the URL. */
import { type Search, textIn } from '../../address.ts'
import { type AccessFilter, accessFilter } from '../accesses/filter.ts'
import { fieldFilter } from '../users/field-filter.ts'

export interface UsersFileFilter {
  q?: string
  email?: string
  external_id?: string
  /** A custom field and its value; `field` and `value` are those of the accesses. */
  user_field?: string
  user_value?: string
}

/** Reads the filters of the users from the URL, in the order in which they are written there. */
export function usersFileFilter(search: Search): UsersFileFilter {
  const [q, email, external_id] = [textIn(search['q']), textIn(search['email']), textIn(search['external_id'])]
  // The service takes one of the two.
  const { field, value } = fieldFilter({ field: q === undefined && search['user_field'], value: search['user_value'] })
  return {
    ...(q !== undefined && { q }),
    ...(email !== undefined && { email }),
    ...(external_id !== undefined && { external_id }),
    ...(field !== undefined && { user_field: field, ...(value !== undefined && { user_value: value }) }),
  }
}

export interface ExportFilter extends UsersFileFilter, AccessFilter {}

export function exportFilter(search: Search): ExportFilter {
  return { ...usersFileFilter(search), ...accessFilter(search) }
}
