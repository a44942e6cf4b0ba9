/** The filters of the two files, as they are in the URL. */
import { type Search, textIn } from '../../address.ts'
import { type AccessFilter, accessFilter } from '../accesses/filter.ts'

export interface UsersFileFilter {
  q?: string
  email?: string
  external_id?: string
}

/** Reads the filters of the users from the URL, in the order in which they are written there. */
export function usersFileFilter(search: Search): UsersFileFilter {
  const [q, email, external_id] = [textIn(search['q']), textIn(search['email']), textIn(search['external_id'])]
  return {
    ...(q !== undefined && { q }),
    ...(email !== undefined && { email }),
    ...(external_id !== undefined && { external_id }),
  }
}

export interface ExportFilter extends UsersFileFilter, AccessFilter {}

export function exportFilter(search: Search): ExportFilter {
  return { ...usersFileFilter(search), ...accessFilter(search) }
}
