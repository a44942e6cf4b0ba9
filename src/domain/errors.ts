/** What domain code throws: facts. Words, headers and field names are put on at the edge (wire/refusals.ts). */
import type { Nullable } from '../db/statement.ts'

/** Which of the accesses that a user brings, from 0, and what it names its product by. */
export interface NamedProduct {
  index: number
  by: 'product_id' | 'slug'
}

/** A number is that of a record in its store, as the wire shows it. */
interface Facts {
  invalid_token: {}
  store_suspended: {}
  insufficient_scope: {}
  not_found: {}
  etag_mismatch: {}
  idempotency_key_reused: {}
  store_exists: {}
  slug_taken: {}
  in_use: {}
  too_many_secrets: {}
  /** Undefined only of an item of a batch, where nobody can know. */
  email_taken: { existing: number | undefined }
  access_exists: { existing: number | undefined }
  unknown_custom_fields: { keys: string[] }
  /** Of a user in a batch: custom fields, and accesses to what is no product. */
  unknown_values: { keys: string[]; accesses: NamedProduct[] }
  product_repeated: { accesses: NamedProduct[] }
  /** There is no quota for another password. */
  no_quota: {}
  unknown_records: { kinds: ('user' | 'product')[] }
  /** `oldest`: the first event that is kept. */
  cursor_expired: { oldest: number }
  cursor_ahead: {}
  /** TOKEN_KEY is unset or too short. */
  no_token_key: {}
}

export type FactCode = keyof Facts

export type FactOf<Code extends FactCode> = { code: Code } & Facts[Code]

export type Fact = { [Code in FactCode]: FactOf<Code> }[FactCode]

/** What speaks against a request, and needs no more to be told than its name. */
export type Verdict = { [Code in FactCode]: {} extends Facts[Code] ? Code : never }[FactCode]

export class Refusal extends Error {
  readonly fact: Fact

  constructor(fact: Fact) {
    super(fact.code)
    this.fact = fact
  }
}

export function refusal(code: Verdict): Refusal {
  return new Refusal({ code })
}

/** The one row that was selected; throws `not_found`, as where a record is gone before a lost answer is given again. */
export function foundRow<Row>([row]: Row[]): Row {
  if (!row) throw refusal('not_found')
  return row
}

/** As `foundRow`, of a record that `beside` has selected with something else. */
export function foundBeside<Row extends { id: number }>(rows: Nullable<Row>[]): Row {
  return foundRow(rows.filter((row) => isFound<Row>(row)))
}

function isFound<Row extends { id: number }>(row: Nullable<Row>): row is Row {
  return row.id !== null
}
