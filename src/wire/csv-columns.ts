/** The columns of CSV files, in their order. It needs no library, so that the import can write the same files. */
import type { PlainField } from '../domain/users/fields.ts'
import { namesOf } from '../names.ts'

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

export const ACCESS_COLUMNS = [
  'id',
  'created_at',
  'started_at',
  'completed_at',
  'access_due_date',
  'expiration_days',
  'status',
  'grade',
  'concept_grade',
  'passed',
  'progress',
  'certificate_url',
  'product_id',
  'user_id',
] as const

/** A person who reads the file knows users and products by their names. The names are next to the ids. */
export const SPREADSHEET_ACCESS_COLUMNS = [
  ...ACCESS_COLUMNS.filter((name) => name !== 'product_id' && name !== 'user_id'),
  'product_id',
  'product_slug',
  'user_id',
  'user_email',
  'user_name',
] as const
