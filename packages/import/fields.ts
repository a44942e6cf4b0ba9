/** The fields of the import. */
import { PLAIN_FIELDS, REQUIRED_FIELDS } from '../../src/modules/users/user-fields.ts'
import { OWN_COLUMNS, OWN_TITLES } from './disarm.ts'

export const REQUIRED: readonly string[] = REQUIRED_FIELDS
export const TEXT_FIELDS = [...PLAIN_FIELDS, 'password'] as const
export const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS)
const PRODUCT_FIELDS = ['product', 'product_status', 'product_due_date'] as const
export const PRODUCTS: readonly string[] = PRODUCT_FIELDS
/** Columns of our plain export of accesses, whose rows name everything by its id. */
export const ACCESS_IDS = ['access_id', 'user_id', 'product_id'] as const
export type HeadingField = (typeof TEXT_FIELDS)[number] | (typeof PRODUCT_FIELDS)[number]
/** An export and a file of failed rows have these columns; the import ignores them, so that it accepts both. */
export const IGNORED: ReadonlySet<string> = new Set([
  'id',
  'role',
  'created_at',
  'updated_at',
  ...OWN_COLUMNS,
  ...Object.values(OWN_TITLES).flat(),
])
export const CUSTOM_FIELD = 'custom_fields.'
export const JSON_FIELDS = new Set([...TEXTS, 'custom_fields', 'product_accesses'])
