/** What domain code throws: facts. Words, headers and field names are put on at the edge (wire/refusals.ts). */

/** What speaks against a request, and needs no more to be told than its name. */
export type Verdict =
  | 'invalid_token'
  | 'store_suspended'
  | 'insufficient_scope'
  | 'not_found'
  | 'etag_mismatch'
  | 'idempotency_key_reused'
  | 'store_exists'
  | 'slug_taken'
  | 'in_use'
  | 'too_many_secrets'

export type Fact =
  | { code: Verdict }
  /** `existing`: the number of the record that is there. */
  | { code: 'email_taken' | 'access_exists'; existing: number }
  | { code: 'unknown_custom_fields'; keys: string[] }
  | { code: 'unknown_records'; fields: ('user_id' | 'product_id')[] }
  /** `oldest`: the number of the first event that is kept. */
  | { code: 'cursor_expired'; oldest: number }
  | { code: 'cursor_ahead' }
  /** TOKEN_KEY is unset or too short. */
  | { code: 'no_token_key' }

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
