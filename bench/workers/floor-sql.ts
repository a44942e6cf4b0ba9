/**
 * The least SQL that does what a create and an update do: one batch that checks the token, writes the event under the
 * guard, then the record and the claim that follow it, notes the day of use, and reads back. Constant text, and the
 * same rows as the service's. It lacks what makes a batch safe to send twice, and a reason for each refusal.
 */
export interface Statement {
  sql: string
  params: (string | number | null)[]
}

/** Who asks for what: read from the token and the path. */
export interface Ask {
  store: number
  slug: string
  caller: number
  hash: string
  request_id: string
  now: number
}

export interface NewUser {
  email: string
  name: string
  last_name: string
}

export interface Claim {
  key: string
  fingerprint: string
}

export interface AccessUpdate {
  id: number
  status: string | null
  access_due_date: number | null
}

const IDS = 2 ** 32
const DAY_MS = 86_400_000

/** ?1 to ?6 of every statement. */
const asked = ({ store, slug, caller, hash, request_id, now }: Ask) => [
  store * IDS,
  slug,
  caller,
  hash,
  request_id,
  now,
]

const NEWEST = `(select max(id) from events where id > ?1 and id < ?1 + ${IDS - 1})`
const OWN = `(select id from events where id = ${NEWEST} and request_id = ?5)`
const ENDPOINTS = `(select json_group_array(id) from webhook_endpoints
  where id > ?1 and id < ?1 + ${IDS - 1} and disabled_at is null) as endpoints`

function isGood(scope: string): string {
  return `exists (select 1 from access_tokens t join stores s on s.id = ?1 + 1
    where t.id = ?3 and t.revoked_at is null and coalesce(t.expires_at > ?6, 1) and s.slug = ?2 and s.suspended_at is null
      and (t.hash = ?4 or coalesce(t.older_hashes ->> ?4, 0) > ?6)
      and instr(' ' || t.scopes || ' ', ' ${scope} '))`
}

const CLAIM = `from idempotency_keys where store = ?1 / ${IDS} and caller_id = ?3 and operation = 'v1.users.create'
  and key = ?8 and created_at > ?6 - ${DAY_MS}`
const TAKEN = `(select id from users where store = ?1 / ${IDS} and email_key = ?7)`

const INSERT_CREATED = `insert into events (id, type, created_at, request_id, actor_id, subject_id)
  select ${NEWEST} + 1, 'user.created', ?6, ?5, ?3, ${NEWEST} + 1
  where ${isGood('users:write')} and not exists (select 1 ${CLAIM}) and not exists ${TAKEN}`
const INSERT_USER = `insert into users
    (id, store, email_key, email, name, last_name, role, language, created_at, updated_at, event_id)
  select e.id, ?1 / ${IDS}, ?7, ?8, ?9, ?10, 'student', (select language from stores where id = ?1 + 1), ?6, ?6, e.id
  from events e where e.id = ${OWN}`
const INSERT_CLAIM = `insert or replace into idempotency_keys
    (store, caller_id, operation, key, fingerprint, record_id, created_at)
  select ?1 / ${IDS}, ?3, 'v1.users.create', ?8, ?7, e.id, ?6 from events e where e.id = ${OWN}`
const FIND_USER = `select *, (select fingerprint ${CLAIM}) as fingerprint, ${OWN} as own, ${ENDPOINTS}
  from users where id = coalesce(${OWN}, (select record_id ${CLAIM}), ${TAKEN})`
const NOTE_USE = `update access_tokens set last_used_at = ?6 - ?6 % ${DAY_MS}
  where id = ?3 and hash = ?4 and coalesce(last_used_at, 0) < ?6 - ?6 % ${DAY_MS}`

/** The last but one reads back. */
export function createStatements(ask: Ask, { email, name, last_name }: NewUser, claim?: Claim): Statement[] {
  const params = asked(ask)
  const email_key = email.toLowerCase()
  const key = claim?.key ?? null
  return [
    { sql: INSERT_CREATED, params: [...params, email_key, key] },
    { sql: INSERT_USER, params: [...params, email_key, email, name, last_name] },
    ...(claim ? [{ sql: INSERT_CLAIM, params: [...params, claim.fingerprint, claim.key] }] : []),
    { sql: FIND_USER, params: [...params, email_key, key] },
    { sql: NOTE_USE, params },
  ]
}

const STATUS = `coalesce(?8, a.status)`
const DUE = `iif(?9 is null, a.access_due_date, ?9)`
const INSERT_UPDATED = `insert into events
    (id, type, created_at, request_id, actor_id, subject_id, previous_id, user_id, product_id, data)
  select ${NEWEST} + 1, 'product_access.updated', ?6, ?5, ?3, a.id, a.event_id, a.user_id, a.product_id,
    json_object('changes', json_patch(
      iif(a.status is ${STATUS}, '{}', json_object('status', json_object('from', a.status, 'to', ${STATUS}))),
      iif(a.access_due_date is ${DUE}, '{}',
        json_object('access_due_date', json_object('from', a.access_due_date, 'to', ${DUE})))))
  from product_accesses a where a.id = ?7 and ${isGood('product_accesses:write')}
    and (a.status is not ${STATUS} or a.access_due_date is not ${DUE})`
const UPDATE_ACCESS = `update product_accesses as a set status = ${STATUS}, access_due_date = ${DUE},
    notified_at = iif(a.access_due_date is ${DUE}, a.notified_at, iif(${DUE} <= ?6, ?6, null)),
    expired_at = iif(a.access_due_date is ${DUE} and not (a.status <> 'with_access' and ${STATUS} = 'with_access'),
      a.expired_at, null),
    event_id = e.id, changed_by = e.id
  from events e where e.id = ${OWN} and a.id = ?7`
const FIND_ACCESS = `select a.*, p.slug as product_slug, p.type as product_type, p.name as product_name,
    p.expiration_days, u.name as user_name, u.last_name as user_last_name, u.external_id, u.email, ${ENDPOINTS}
  from product_accesses a join products p on p.id = a.product_id join users u on u.id = a.user_id
  where a.id = ?2`

/** The last but one reads back. */
export function updateStatements(ask: Ask, { id, status, access_due_date }: AccessUpdate): Statement[] {
  const params = [...asked(ask), id + ask.store * IDS, status, access_due_date]
  return [
    { sql: INSERT_UPDATED, params },
    { sql: UPDATE_ACCESS, params },
    { sql: FIND_ACCESS, params: [ask.store * IDS, id + ask.store * IDS] },
    { sql: NOTE_USE, params: asked(ask) },
  ]
}

/** Whether the token is good. */
export function gateStatements(ask: Ask): Statement[] {
  return [{ sql: `select ${isGood('users:write')} as good`, params: asked(ask) }]
}
