/** The columns of CSV files, in their order. It needs no library, so that the import can write the same files. */
import type { PlainField } from './user-fields.ts'
import { namesOf } from '../../lib/names.ts'

export type UserColumn = 'id' | PlainField | 'created_at' | 'role' | 'updated_at'

/** An object, because a list that lacks a field would compile. */
const USER_ORDER: Record<UserColumn, true> = {
  id: true,
  name: true,
  last_name: true,
  email: true,
  created_at: true,
  country: true,
  phone: true,
  external_id: true,
  language: true,
  avatar: true,
  role: true,
  updated_at: true,
}

export const USER_COLUMNS = namesOf(USER_ORDER)
