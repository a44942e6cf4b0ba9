/** The columns of CSV files, in their order. It needs no library, so that the import can write the same files. */
import { REQUIRED_FIELDS, SHOWN_FIELDS } from './user-fields.ts'

export const USER_COLUMNS = ['id', ...REQUIRED_FIELDS, 'created_at', ...SHOWN_FIELDS, 'role', 'updated_at'] as const

export type UserColumn = (typeof USER_COLUMNS)[number]
