/** What domain code throws. The edge adds status, message, headers and field names (src/error-codes.ts, src/http/errors/domain-errors.ts). */
import type { CaseCode, ErrorCode } from '../error-codes.ts'

/** The field of a grant that names its product. */
export type NamedBy = 'product_id' | 'slug'

/** An access in the list `product_accesses` of a user: its position, from 0, and the field that names its product. */
export interface NamedProduct {
  index: number
  by: NamedBy
}

interface NoDetails {}

/** What errors need besides their code. One that is not here needs nothing. Numbers are ids as the API shows them. */
interface Details {
  /** Undefined only for an item of a batch whose earlier attempt was rejected: nobody knows the id. */
  email_taken: { existing: number | undefined }
  access_exists: { existing: number | undefined; named_by: NamedBy }
  unknown_custom_fields: { keys: string[] }
  /** In a batch of users: unknown custom fields, and accesses to products that do not exist. */
  unknown_values: { keys: string[]; accesses: NamedProduct[] }
  product_repeated: { accesses: NamedProduct[] }
  /** 1 for each record that does not exist. */
  unknown_records: { lacks_user: 0 | 1; lacks_product: 0 | 1; named_by: NamedBy }
  /** The positions, from 0, of the slugs in a list of stores that no store has. */
  unknown_stores: { positions: number[] }
  /** 1 for a product or a custom field that does not exist; `unknown_users` are positions in the list of users, from 0. */
  unknown_filter: { lacks_product: 0 | 1 | null; lacks_field: 0 | 1 | null; unknown_users: number[] }
  /** `oldest` is the first event that is still kept. */
  cursor_expired: { oldest: number }
}

/** The codes of src/error-codes.ts, and more where several reasons have the same code. */
export type DomainErrorCode = keyof Details | ErrorCode | CaseCode

export type DetailsOf<Code extends DomainErrorCode> = Code extends keyof Details ? Details[Code] : NoDetails

export class DomainError<Code extends DomainErrorCode = DomainErrorCode> extends Error {
  readonly code: Code
  readonly details: DetailsOf<Code>

  constructor(code: Code, details: DetailsOf<Code>) {
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
