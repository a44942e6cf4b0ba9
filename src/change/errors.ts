/**
 * What domain code throws. The edge adds status, message, headers and field names (src/http/errors/error-codes.ts,
 * src/http/errors/domain-errors.ts).
 */

/** The field of a grant that names its product. */
export type NamedBy = 'product_id' | 'slug'

/** An access in the list `product_accesses` of a user: its position, from 0, and the field that names its product. */
export interface NamedProduct {
  index: number
  by: NamedBy
}

interface NoDetails {}

/** What each error needs besides its code. Numbers are ids as the API shows them. */
interface Details {
  invalid_token: NoDetails
  store_suspended: NoDetails
  insufficient_scope: NoDetails
  not_found: NoDetails
  etag_mismatch: NoDetails
  idempotency_key_reused: NoDetails
  store_exists: NoDetails
  slug_taken: NoDetails
  operator_email_taken: NoDetails
  in_use: NoDetails
  too_many_secrets: NoDetails
  /** The store has as many webhook endpoints as it may have. */
  limit_reached: NoDetails
  /** Undefined only for an item of a batch whose earlier attempt was rejected: nobody knows the id. */
  email_taken: { existing: number | undefined }
  access_exists: { existing: number | undefined; named_by: NamedBy }
  unknown_custom_fields: { keys: string[] }
  custom_fields_too_large: NoDetails
  /** In a batch of users: unknown custom fields, and accesses to products that do not exist. */
  unknown_values: { keys: string[]; accesses: NamedProduct[] }
  product_repeated: { accesses: NamedProduct[] }
  password_quota_exceeded: NoDetails
  /** 1 for each record that does not exist. */
  unknown_records: { lacks_user: 0 | 1; lacks_product: 0 | 1; named_by: NamedBy }
  /** The positions, from 0, of the slugs in a list of stores that no store has. */
  unknown_stores: { positions: number[] }
  /** `lacks_product` is 1 if the product does not exist; `unknown_users` are positions in the list of users, from 0. */
  unknown_filter: { lacks_product: 0 | 1 | null; unknown_users: number[] }
  /** The bulk change has ended. */
  not_running: NoDetails
  /** The bulk change has not ended, was reverted before, or its events are no longer kept. */
  not_done: NoDetails
  /** `oldest` is the first event that is still kept. */
  cursor_expired: { oldest: number }
  cursor_ahead: NoDetails
  /** A password waited too long to be hashed. */
  hashing_too_busy: NoDetails
  store_too_busy: NoDetails
  /** TOKEN_KEY is unset or too short. */
  token_key_missing: NoDetails
}

export type DomainErrorCode = keyof Details

export type DetailsOf<Code extends DomainErrorCode> = Details[Code]

export class DomainError<Code extends DomainErrorCode = DomainErrorCode> extends Error {
  readonly code: Code
  readonly details: Details[Code]

  constructor(code: Code, details: Details[Code]) {
    super(code)
    this.code = code
    this.details = details
  }
}

/** Throws `not_found` if there is no row. */
export function requireRow<Row>([row]: Row[]): Row {
  if (!row) throw new DomainError('not_found', {})
  return row
}
