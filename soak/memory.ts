/** Clients remember every acknowledgment and every uncertainty here, and the checks compare it with the database. */
export interface SentUser {
  name: string
  last_name: string
  email: string
  phone: string
  external_id: string
  custom_fields: { field1: string }
}

export interface AccessState {
  status: string
  access_due_date: string | null
}

/** The service lost a response of D1 and sent the batch again: it shows the access as it was then (verifyLaterStates). */
export interface LaterState {
  requestId: string
  etag: string
  sent: AccessState
  shown: AccessState
}

export interface Memory {
  /** These users were acknowledged as created; the keys are emails. */
  created: Map<string, SentUser>
  /** Each idempotency key has its body and the first response. */
  keys: Map<string, { body: string; response: string }>
  /** These users were acknowledged as erased; the keys are ids. */
  erased: Map<string, { user: SentUser; key: string }>
  /** Each client's own access may be in one of these states: the last acknowledged one, or one that was sent since. */
  accesses: Map<string, AccessState[]>
  /** Each access has its acknowledged states, starting with the granted one. */
  acknowledged: Map<string, AccessState[]>
  /** All clients update this access. */
  sharedAccess: string
  /** Responses to updates of that access that show another state than the one that was sent. */
  laterStates: LaterState[]
  /** All clients increment a custom field of this user, each time with If-Match. */
  counter: { user_id: string; acknowledged: number; uncertain: number }
  product_id: string
  problems: string[]
  tally: Record<'requests' | 'cut' | 'failed' | 'replayed' | 'updated' | 'rotated' | 'batched' | 'conflicts', number>
}

export function newMemory(): Memory {
  return {
    created: new Map(),
    keys: new Map(),
    erased: new Map(),
    accesses: new Map(),
    acknowledged: new Map(),
    sharedAccess: '',
    laterStates: [],
    counter: { user_id: '', acknowledged: 0, uncertain: 0 },
    product_id: '',
    problems: [],
    tally: { requests: 0, cut: 0, failed: 0, replayed: 0, updated: 0, rotated: 0, batched: 0, conflicts: 0 },
  }
}

/** Requests go to this store with the current secret of its token. */
export interface Target {
  origin: string
  store: string
  token: string
}

const run = Date.now().toString(36)
let serial = 0

/** Returns a user with a unique name, so that it can be found in any table. The email may be of an erased user. */
export function newUser(email?: string): SentUser {
  const id = `${run}-${serial++}-`
  return {
    name: `Zoë ${id}`,
    last_name: 'O’Neill 李',
    email: email ?? `Soak.${id}x@example.com`,
    phone: '+1 202 555 0100',
    external_id: id,
    custom_fields: { field1: `"${id}"` },
  }
}

export function newState(): AccessState {
  return {
    status: Math.random() < 0.5 ? 'with_access' : 'without_access',
    access_due_date: Math.random() < 0.1 ? null : new Date(Date.UTC(2030, 0, 1) + serial++ * 1000).toISOString(),
  }
}
