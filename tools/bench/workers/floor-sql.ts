/**
 * This is a minimum of SQL, written by hand, for a create and an update. One batch checks the token and the rules,
 * inserts the event, writes the record and the claim that follow from it, and reads the record and the day of the token's
 * last use, which is set after the response. A batch that is sent twice is applied once. The text is constant, and the rows are those of the service.
 */
export interface Statement {
  sql: string
  params: (string | number | null)[]
}

/** The token and the path of a request contain these. */
export interface RequestContext {
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

/** These are ?1 to ?6 of every statement. */
const contextParams = ({ store, slug, caller, hash, request_id, now }: RequestContext) => [
  store * IDS,
  slug,
  caller,
  hash,
  request_id,
  now,
]

const NEWEST = `(select max(id) from events where id > ?1 and id < ?1 + ${IDS - 1})`
/** This is the event of this request, from this attempt or an earlier one. */
const OWN = `(select id from events where id > ${NEWEST} - 1 and id < ?1 + ${IDS - 1} and request_id = ?5
  order by id desc limit 1)`
/** A later attempt ran first, so this one must do nothing. */
const SUPERSEDED = `exists (select 1 from fencing_tokens where request_id = ?5 and attempt > 0)`
const JUST_INSERTED = `e.id = ${NEWEST} and e.request_id = ?5`
const ENDPOINTS = `(select json_group_array(id) from webhook_endpoints
  where id > ?1 and id < ?1 + ${IDS - 1} and disabled_at is null and is_down = 0) as endpoints`

const USED_AT = `(select last_used_at from access_tokens where id = ?3) as used_at`

function authorize(scope: string): string {
  return `(select case
      when t.id is null or t.revoked_at is not null or coalesce(t.expires_at <= ?6, 0) or s.slug <> ?2
        or not (t.hash = ?4 or coalesce(t.older_hashes ->> ?4, 0) > ?6) then 'invalid_token'
      when s.suspended_at is not null then 'store_suspended'
      when not instr(' ' || t.scopes || ' ', ' ${scope} ') then 'insufficient_scope'
    end from (select 1) left join access_tokens t on t.id = ?3 left join stores s on s.id = ?1 + 1)`
}

/** Returns SQL for the first rule that rejects the change, or null if none does. */
function outcome(scope: string, ...rules: string[]): string {
  return `iif(${OWN} is not null or ${SUPERSEDED}, 'applied', coalesce(${[authorize(scope), ...rules].join(', ')}))`
}

const CLAIM = `from idempotency_keys where store = ?1 / ${IDS} and caller_id = ?3 and operation = 'v1.users.create'
  and key = ?8 and created_at > ?6 - ${DAY_MS}`
const TAKEN = `(select id from users where store = ?1 / ${IDS} and email_key = ?7)`
const CREATE = outcome(
  'users:write',
  `(select iif(fingerprint = ?9, 'replayed', 'idempotency_key_reused') ${CLAIM})`,
  `iif(exists ${TAKEN}, 'email_taken', null)`,
)

const INSERT_CREATED = `insert into events (id, type, created_at, request_id, attempt, actor_id, subject_id)
  select ${NEWEST} + 1, 'user.created', ?6, ?5, 0, ?3, ${NEWEST} + 1 where ${CREATE} is null`
const INSERT_USER = `insert into users
    (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language, created_at, updated_at, event_id)
  select e.id, ?1 / ${IDS}, ?7, ?8, ?9, ?10, lower(?9), lower(?10), 'student', (select language from stores where id = ?1 + 1), ?6, ?6, e.id
  from events e where ${JUST_INSERTED} and not exists (select 1 from users made where made.id = e.id)`
const INSERT_CLAIM = `insert or replace into idempotency_keys
    (store, caller_id, operation, key, fingerprint, record_id, created_at)
  select ?1 / ${IDS}, ?3, 'v1.users.create', ?8, ?7, e.id, ?6 from events e where ${JUST_INSERTED}`
const SELECT_USER = `select ${CREATE} as outcome, ${ENDPOINTS}, ${USED_AT}, (select fingerprint ${CLAIM}) as fingerprint, u.*
  from (select 1) left join users u on u.id = coalesce(${OWN}, (select record_id ${CLAIM}), ${TAKEN})`
const RECORD_USE = `update access_tokens set last_used_at = ?6 - ?6 % ${DAY_MS}
  where id = ?3 and hash = ?4 and coalesce(last_used_at, 0) < ?6 - ?6 % ${DAY_MS}`

/** The last statement returns the outcome and the record. */
export function createStatements(
  context: RequestContext,
  { email, name, last_name }: NewUser,
  claim?: Claim,
): Statement[] {
  const params = contextParams(context)
  const email_key = email.toLowerCase()
  const createParams = [...params, email_key, claim?.key ?? null, claim?.fingerprint ?? null]
  return [
    { sql: INSERT_CREATED, params: createParams },
    { sql: INSERT_USER, params: [...params, email_key, email, name, last_name] },
    ...(claim ? [{ sql: INSERT_CLAIM, params: [...params, claim.fingerprint, claim.key] }] : []),
    { sql: SELECT_USER, params: createParams },
  ]
}

const STATUS = `coalesce(?8, a.status)`
const DUE = `iif(?9 is null, a.access_due_date, ?9)`
const UPDATE = outcome(
  'product_accesses:write',
  `(select iif(a.status is ${STATUS} and a.access_due_date is ${DUE}, 'unchanged', null)
    from product_accesses a where a.id = ?7)`,
)

const INSERT_UPDATED = `insert into events
    (id, type, created_at, request_id, attempt, actor_id, subject_id, previous_id, user_id, product_id, data)
  select ${NEWEST} + 1, 'product_access.updated', ?6, ?5, 0, ?3, a.id, a.event_id, a.user_id, a.product_id,
    json_object('changes', json_patch(
      iif(a.status is ${STATUS}, '{}', json_object('status', json_object('from', a.status, 'to', ${STATUS}))),
      iif(a.access_due_date is ${DUE}, '{}',
        json_object('access_due_date', json_object('from', a.access_due_date, 'to', ${DUE})))))
  from product_accesses a where a.id = ?7 and ${UPDATE} is null`
const UPDATE_ACCESS = `update product_accesses as a set status = ${STATUS}, access_due_date = ${DUE},
    notified_at = iif(a.access_due_date is ${DUE}, a.notified_at, iif(${DUE} <= ?6, ?6, null)),
    expired_at = iif(a.access_due_date is ${DUE} and not (a.status <> 'with_access' and ${STATUS} = 'with_access'),
      a.expired_at, null),
    event_id = e.id, changed_by = e.id
  from events e where ${JUST_INSERTED} and a.id = ?7 and a.event_id < e.id`
const SELECT_ACCESS = `select ${UPDATE} as outcome, ${ENDPOINTS}, ${USED_AT}, a.*,
    p.slug as product_slug, p.type as product_type, p.name as product_name, p.expiration_days,
    u.name as user_name, u.last_name as user_last_name, u.external_id as user_external_id, u.email as user_email
  from (select 1) left join product_accesses a on a.id = ?7
    left join products p on p.id = a.product_id left join users u on u.id = a.user_id`

/** The last statement returns the outcome and the record. */
export function updateStatements(context: RequestContext, { id, status, access_due_date }: AccessUpdate): Statement[] {
  const params = [...contextParams(context), id + context.store * IDS, status, access_due_date]
  return [
    { sql: INSERT_UPDATED, params },
    { sql: UPDATE_ACCESS, params },
    { sql: SELECT_ACCESS, params },
  ]
}

/** Returns the statement that records the use of the token, unless this was done today. */
export function useStatements(context: RequestContext, usedAt: number): Statement[] {
  const isRecorded = usedAt >= context.now - (context.now % DAY_MS)
  return isRecorded ? [] : [{ sql: RECORD_USE, params: contextParams(context) }]
}

/** Returns a statement for the rule that rejects the token, if there is one. */
export function authorizeStatements(context: RequestContext): Statement[] {
  return [{ sql: `select ${authorize('users:write')} as outcome`, params: contextParams(context) }]
}
