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

/** What a key that was used decides; undefined if the request is the first with it for 24 hours, or has none. */
export function findClaim(state: State, operation: Operation, call: Call): Outcome | undefined {
  const claim = state.claims.get(nameOf(operation, call) ?? '')
  if (!claim || claim.at + DAY_MS <= call.now) return undefined
  // Neither spacing nor the order of the fields matters. The id in the path does.
  if (claim.about !== call.id || !isDeepStrictEqual(claim.body, call.body))
    return { status: 422, code: 'idempotency_key_reused', fields: [keyName(call) ?? ''] }
  return replay(state, operation, claim)
}

/** The first response, byte for byte. Where no response is stored, it is rebuilt from the record as it is now. */
function replay(state: State, { key }: Operation, { record, text, etag }: Claim): Outcome {
  const headers = { 'Idempotent-Replayed': 'true' }
  if (key === 'bulk change' || key === 'revert') return { status: 202, body: { id: record }, headers }
  const isOfAccess = key === 'grant' || key === 'extend'
  const user = isOfAccess ? undefined : state.users.get(record)
  const access = isOfAccess ? state.accesses.get(record) : undefined
  const status = key === 'extend' ? 200 : 201
  const current = user ?? access
  // An erasure cannot be undone by a retry.
  if (!current) return notFound
  const isRebuilt = state.json['jurisdiction'] === 'eu'
  if (!isRebuilt && text !== undefined) return { status, text, headers: { ...headers, ETag: etag } }
  const body: Row = access ? state.accessJson(access) : user && key === 'v3' ? toV3(user) : user ? toV1(user) : {}
  if (isRebuilt) return { status, body, headers: { ...headers, ETag: current.etag } }
  return { status, body: { id: body['id'] }, headers }
}

/** Only a success uses up a key, and an extension that changes nothing does not. */
export function remember(
  state: State,
  operation: Operation,
  call: Call,
  { status, headers, events = [], record = '' }: Outcome,
): void {
  const name = nameOf(operation, call)
  if (name === undefined || status > 202 || headers?.['Idempotent-Replayed'] === 'true') return
  if (operation.key === 'extend' && events.length === 0) return
  const { body, id: about, drawn, now: at } = call
  // A replay repeats the response, also one that was sent when others had changed the record again.
  const etag = (drawn.shownEtag ?? drawn.etag) || null
  state.claims.set(name, { body, about, record, text: drawn.text, etag, at })
}
