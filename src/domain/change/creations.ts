/**
 * Making and deleting a record, in the form that the operator's resources share: the decision, the event, and the
 * record that follows it.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { beside, type Columns, insertFrom, type Params, statement, type Step } from '../../db/statement.ts'
import { events } from '../../db/schema.ts'
import type { CallValues } from './context.ts'
import { decide, fromOwnEvent, insertEvent, ownEvent, type RecordTable, settleAndWake, tellDecision } from './event.ts'
import type { EventType } from '../events/event-types.ts'
import { foundBeside, refusal, type Verdict } from '../errors.ts'

type Values<V> = V & CallValues

interface Creation<V, Table extends SQLiteTable> {
  table: Table
  type: EventType
  /** What speaks against it: names of verdicts, or null. */
  refusedWith?: (p: Params<Values<V>>) => SQL<Verdict | null>
  /** Selected from its event: `eventId`. */
  columns: (p: Params<Values<V>>) => Columns<Table>
}

/** The three statements that make a record. */
export function creationOf<V extends Record<keyof V, string | number | null>, Table extends SQLiteTable>({
  table,
  type,
  refusedWith = () => sql<null>`null`,
  columns,
}: Creation<V, Table>) {
  type P = Params<Values<V>>
  const decision = (p: P) => decide(p, refusedWith(p))
  const tellStep = statement((p: P, orm) => tellDecision(orm, p, decision(p)))
  const eventStep = statement((p: P, orm) => insertEvent(orm, p, { type, decision: decision(p) }))
  const recordStep = statement((p: P, orm) => insertFrom(orm, table, columns(p), fromOwnEvent(p, table)))
  return (values: Values<V>) => ({
    event: eventStep(values),
    record: recordStep(values),
    told: tellStep(values),
  })
}

type CreationSteps = ReturnType<ReturnType<typeof creationOf>>

/** Sends a creation and answers the record. Throws its own verdicts, and as `foundRow`. */
export async function sendCreation<Row extends { id: number }>(
  db: Db,
  { event, record, told }: CreationSteps,
  found: Step<Row>,
): Promise<Row> {
  const steps = { event, record, told: beside(told, found) }
  const answers = await batch(db, steps, { retry: 'it finds its own event' })
  const verdict = settleAndWake(db, answers.told)
  if (verdict !== null) throw refusal(verdict)
  return foundBeside<Row>(answers.told)
}

interface Deletion<V> {
  table: RecordTable
  type: EventType
  /** Which record. */
  which: (p: Params<Values<V>>) => SQL
  /** What speaks against it: names of verdicts, or null. */
  refusedWith?: (p: Params<Values<V>>) => SQL<Verdict | null>
  data?: SQL
}

/** The three statements that delete a record; `not_found` speaks against one that is not there. */
export function deletionOf<V extends Record<keyof V, string | number | null>>({
  table,
  type,
  which,
  refusedWith = () => sql<null>`null`,
  data,
}: Deletion<V>) {
  type P = Params<Values<V>>
  const notFound = (p: P) => sql`iif(exists (select 1 from ${table} where ${which(p)}), null, 'not_found')`
  const decision = (p: P) => decide(p, notFound(p), refusedWith(p))
  const tellStep = statement((p: P, orm) => tellDecision(orm, p, decision(p)))
  const eventStep = statement((p: P, orm) =>
    insertEvent(orm, p, {
      type,
      decision: decision(p),
      record: table,
      ...(data && { data }),
      where: which(p),
    }),
  )
  const deleteStep = statement((p: P, orm) =>
    orm.delete(table).where(sql`${table.id} = (select e.subject_id from ${events} e where e.id = ${ownEvent(p)})`),
  )
  return (values: Values<V>) => ({
    event: eventStep(values),
    record: deleteStep(values),
    told: tellStep(values),
  })
}

type DeletionSteps = ReturnType<ReturnType<typeof deletionOf>>

/** Sends a deletion. Throws `not_found` and its own verdicts. */
export async function sendDeletion(db: Db, { event, record, told }: DeletionSteps): Promise<void> {
  const answers = await batch(db, { event, record, told }, { retry: 'it finds its own event' })
  const verdict = settleAndWake(db, answers.told)
  if (verdict !== null) throw refusal(verdict)
}
