/** What the clients remember: what they were told, and what they do not know. The reckoning compares it with the rest. */
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

export interface Memory {
  /** Users that a client was told exist, by e-mail. */
  created: Map<string, SentUser>
  /** Of each key the body and the first answer. */
  keys: Map<string, { body: string; answer: string }>
  /** Users that a client was told are gone, by id. */
  erased: Map<string, { user: SentUser; key: string }>
  /** Of each client's own access what it may be in: the last acknowledged state, then those attempted since. */
  accesses: Map<string, AccessState[]>
  /** Of each access all that was acknowledged, the state that it was granted in first. */
  acknowledged: Map<string, AccessState[]>
  /** The access that all clients update. */
  sharedAccess: string
  /** The user in whose custom field all clients count, each step under If-Match. */
  counter: { user_id: string; acknowledged: number; unsure: number }
  product_id: string
  wrong: string[]
  tally: Record<'requests' | 'cut' | 'failed' | 'replayed' | 'updated' | 'rotated' | 'batched' | 'outrun', number>
}

export function newMemory(): Memory {
  return {
    created: new Map(),
    keys: new Map(),
    erased: new Map(),
    accesses: new Map(),
    acknowledged: new Map(),
    sharedAccess: '',
    counter: { user_id: '', acknowledged: 0, unsure: 0 },
    product_id: '',
    wrong: [],
    tally: { requests: 0, cut: 0, failed: 0, replayed: 0, updated: 0, rotated: 0, batched: 0, outrun: 0 },
  }
}

/** The store that is called, with its token's present secret. */
export interface Target {
  origin: string
  store: string
  token: string
}

const run = Date.now().toString(36)
let serial = 0

/** A person whose every word is found again; the e-mail may be another's who is gone. */
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
