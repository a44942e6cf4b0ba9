/**
 * The database of an endpoint's object: its health, and a row for each event that was attempted. An event without a row
 * has not been attempted, or its attempt was lost with the object: it is sent (again), because it is after the cursor. No
 * row has a URL, a secret or a body.
 */
import { numberOf } from '../../../db/ids.ts'
import { SCAN_LIMIT } from '../../../limits.ts'
import { PENDING_LIMIT, WEBHOOK } from '../limits.ts'
import type { Order } from '../../../change/pages.ts'
import { type AttemptedEvent, type Delivery, type DeliveryState, newDelivery } from './delivery.ts'
import type { Health } from '../health.ts'

const COLUMNS = {
  event_id: 'integer primary key',
  type: 'text not null',
  created_at: 'integer not null',
  state: 'text not null',
  attempts: 'integer not null',
  retries: 'integer not null',
  last_status: 'integer',
  last_attempt_at: 'integer',
  next_attempt_at: 'integer',
} satisfies Record<keyof Delivery, string>

const NAMES = Object.keys(COLUMNS).filter((name): name is keyof Delivery => Object.hasOwn(COLUMNS, name))
const DEFINITIONS = NAMES.map((name) => `${name} ${COLUMNS[name]}`).join(', ')
const SAVE = `insert or replace into deliveries (${NAMES.join(', ')}) values (${NAMES.map(() => '?').join(', ')})`

/** One billed row for a delivery that succeeds at once. The index has only what waits for a retry. */
const TABLES = `
  create table if not exists deliveries (${DEFINITIONS});
  create index if not exists deliveries_waiting on deliveries (next_attempt_at, event_id) where next_attempt_at is not null;
  create table if not exists health (id integer primary key, value text not null)`

export interface PageOfDeliveries {
  order: Order
  after: number
  limit: number
  state: DeliveryState | undefined
  /** The next events after the endpoint's cursor: those without a row are shown as well. */
  next: AttemptedEvent[]
  /** The newest event of the store: after a restore, a row may be of an event that no longer exists. */
  newest: number
}

export class DeliveryLog {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  #health: Health | undefined

  constructor(storage: DurableObjectStorage) {
    const { sql } = storage
    this.#storage = storage
    this.#sql = sql
    sql.exec(TABLES)
    const [stored] = sql.exec<{ value: string }>('select value from health').toArray()
    if (stored) this.#health = JSON.parse(stored.value)
  }

  /** Undefined until the object has read its endpoint for the first time. */
  get health(): Health | undefined {
    return this.#health
  }

  /** Writes a row only if something has changed. */
  setHealth(health: Health): void {
    const value = JSON.stringify(health)
    if (value === JSON.stringify(this.#health)) return
    this.#health = health
    this.#sql.exec('insert or replace into health values (1, ?)', value)
  }

  find(event_id: number): Delivery | undefined {
    return this.#select('where event_id = ?', event_id)[0]
  }

  /** The row of the event. After a restore of the database, another event may have got the id: then the row is of none. */
  findOf({ id, created_at }: Pick<AttemptedEvent, 'id' | 'created_at'>): Delivery | undefined {
    const delivery = this.find(id)
    return delivery?.created_at === created_at ? delivery : undefined
  }

  /** What is due now, the longest overdue first. */
  listDue(now: number, count: number): Delivery[] {
    return this.#select('where next_attempt_at <= ? order by next_attempt_at, event_id limit ?', now, count)
  }

  /** The probe of an endpoint that is down. */
  findOldestWaiting(): Delivery | undefined {
    const oldest = '(select min(event_id) from deliveries where next_attempt_at is not null)'
    return this.#select(`where event_id = ${oldest}`)[0]
  }

  record(delivery: Delivery, health: Health): void {
    this.#storage.transactionSync(() => {
      this.save(delivery)
      this.recover(health)
    })
  }

  /** Sets the health after an attempt. If the endpoint was down and is not any more, everything that waits is due. */
  recover(health: Health): void {
    if (this.#health?.probe_at != null && health.probe_at === null) this.resume(Date.now())
    this.setHealth(health)
  }

  save(delivery: Delivery): void {
    this.#sql.exec(SAVE, ...NAMES.map((name) => delivery[name]))
  }

  /** Forgets all deliveries: they were those of another endpoint, which a restore of the database has removed. */
  clear(): void {
    this.#sql.exec('delete from deliveries')
  }

  /** Everything that waits is due at the same time, so it is sent in the order of the events. An endpoint is down after 20 failures, so these are few. */
  resume(now: number): void {
    this.#sql.exec('update deliveries set next_attempt_at = ? where next_attempt_at is not null', now)
  }

  /** For the report. */
  summarize() {
    const waiting = `(select created_at, next_attempt_at from deliveries where next_attempt_at is not null limit ${PENDING_LIMIT})`
    return this.#sql
      .exec<{ pending: number; oldest_pending_at: number | null; next_attempt_at: number | null }>(
        `select count(*) pending, min(created_at) oldest_pending_at, min(next_attempt_at) next_attempt_at from ${waiting}`,
      )
      .one()
  }

  /** Deletes what follows no event any more, some at a time. */
  purge(oldestEvent: number): void {
    const old = 'select event_id from deliveries where event_id < ? limit ?'
    this.#sql.exec(`delete from deliveries where event_id in (${old})`, oldestEvent, WEBHOOK.purgedAtOnce)
  }

  drop(event_id: number): void {
    this.#sql.exec('delete from deliveries where event_id = ?', event_id)
  }

  /**
   * Those that follow the cursor, together with events that have not been attempted, and the last one that was searched, if
   * the search had to end.
   */
  page({ order, after, limit, state, next, newest }: PageOfDeliveries) {
    const sign = order === 'asc' ? 1 : -1
    const compare = (a: Delivery, b: Delivery) => sign * (a.event_id - b.event_id)
    const searched = this.#select(
      `where event_id ${order === 'asc' ? '>' : '<'} ? and event_id <= ? order by event_id ${order} limit ?`,
      after,
      newest,
      state === undefined ? limit + 1 : SCAN_LIMIT,
    )
    const end = searched.length === SCAN_LIMIT ? searched.at(-1) : undefined
    // Beyond the end, deliveries that were not searched would be missing between them.
    const isOnPage = ({ id }: AttemptedEvent) => sign * (id - after) > 0 && !(end && sign * (id - end.event_id) > 0)
    const isUnattempted = (event: AttemptedEvent) => this.findOf(event) === undefined
    const unattempted = next.filter((event) => isOnPage(event) && isUnattempted(event)).map(newDelivery)
    const replaced = new Set(unattempted.map(({ event_id }) => event_id))
    const known = searched.filter(({ event_id }) => !replaced.has(event_id))
    const rows = [...known, ...unattempted]
      .filter((row) => state === undefined || row.state === state)
      .toSorted(compare)
    const last = rows.length > limit ? rows[limit - 1] : end
    return { rows: rows.slice(0, limit), next: last ? String(numberOf(last.event_id)) : null }
  }

  #select(where: string, ...values: (number | null)[]): Delivery[] {
    return this.#sql.exec<Delivery>(`select * from deliveries ${where}`, ...values).toArray()
  }
}
