/** Idempotency keys (contract, section 4). */
import { isDeepStrictEqual } from 'node:util'
import { DAY_MS } from '../../../src/limits.ts'
import type { Row } from '../rows.ts'
import { type Call, type Caller, notFound, type Operation, type Outcome } from './operation.ts'
import type { Claim, State } from './state.ts'
import { toV1, toV3 } from './user-fields.ts'

const NAMES = ['X-Idempotency-Key', 'Idempotency-Key']

export const keyName = ({ request }: Call) => NAMES.find((name) => request.headers?.[name] !== undefined)

/** A key belongs to one caller and one operation. */
export function claimName({ actor: { type, id } }: Caller, operation: string, key: string): string {
  return `${String(type)} ${String(id)} ${operation} ${key}`
}

function nameOf({ key }: Operation, call: Call): string | undefined {
  const sent = call.request.headers?.[keyName(call) ?? '']
  return key === undefined || sent === undefined ? undefined : claimName(call.caller, key, sent)
}

/** What makes a request the same: its body, and for a revert what is reverted. */
const toCompare = ({ key }: Operation, { body, id }: Call) => (key === 'revert' ? { reverts: id } : body)

/** What a key that was used decides; undefined if the request is the first with it for 24 hours, or has none. */
export function findClaim(state: State, operation: Operation, call: Call): Outcome | undefined {
  const claim = state.claims.get(nameOf(operation, call) ?? '')
  if (!claim || claim.at + DAY_MS <= call.now) return undefined
  // Neither spacing nor the order of the fields matters.
  if (!isDeepStrictEqual(claim.body, toCompare(operation, call)))
    return { status: 422, code: 'idempotency_key_reused', fields: [keyName(call) ?? ''] }
  return replay(state, operation, claim)
}

/** The first response, byte for byte. Where no response is stored, it is rebuilt from the record as it is now. */
function replay(state: State, { key }: Operation, { record, text, etag }: Claim): Outcome {
  const headers = { 'Idempotent-Replayed': 'true' }
  if (key === 'bulk change' || key === 'revert') return { status: 202, body: { id: record }, headers }
  const user = key === 'grant' ? undefined : state.users.get(record)
  const access = key === 'grant' ? state.accesses.get(record) : undefined
  const current = user ?? access
  // An erasure cannot be undone by a retry.
  if (!current) return notFound
  const isRebuilt = state.json['jurisdiction'] === 'eu'
  if (!isRebuilt && text !== undefined) return { status: 201, text, headers: { ...headers, ETag: etag } }
  const body: Row = access ? state.accessJson(access) : user && key === 'v3' ? toV3(user) : user ? toV1(user) : {}
  if (isRebuilt) return { status: 201, body, headers: { ...headers, ETag: current.etag } }
  return { status: 201, body: { id: body['id'] }, headers }
}

/** Only a success uses up a key. */
export function remember(
  state: State,
  operation: Operation,
  call: Call,
  { status, headers, record = '' }: Outcome,
): void {
  const name = nameOf(operation, call)
  if (name === undefined || status > 202 || headers?.['Idempotent-Replayed'] === 'true') return
  const { drawn, now: at } = call
  state.claims.set(name, { body: toCompare(operation, call), record, text: drawn.text, etag: drawn.etag || null, at })
}
