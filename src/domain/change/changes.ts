/**
 * Changing fields of a record that is there: its decision, its event and the change itself, in the form that all
 * resources share. A field that is left out keeps its value, and where nothing differs nothing is written.
 */
import { getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { beside, type Params, statement, type Step } from '../../db/statement.ts'
import { idIn, numberIn } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { events } from '../../db/schema.ts'
import type { Call, CallValues } from './context.ts'
import {
  decide,
  eventId,
  followsOwnEvent,
  insertEvent,
  type RecordTable,
  settleAndWake,
  tellDecision,
} from './event.ts'
import type { EventType } from '../events/event-types.ts'
import { foundBeside, refusal, type Verdict } from '../errors.ts'
import { noteLastUse } from './last-use.ts'

/** Which record is to change. */
export interface RecordAsked {
  call: Call
  number: number
  /** Its ETag must be one of these: the numbers of events, of which one made its last change. Undefined: any will do. */
  ifMatch: number[] | undefined
}

/** `if_match` is a JSON list, or null. */
export interface RecordValues {
  number: number
  if_match: string | null
}

/** For each field whether it is set, and to what. */
type FieldValues<Field extends string> = Record<Field, string | number | null> & Record<`sets_${Field}`, 0 | 1>

export type ChangeValues<Field extends string> = CallValues & RecordValues & FieldValues<Field>

/** The values of the fields that are given; undefined stands for one that is left out. */
export function fieldValues<Field extends string>(
  fields: readonly Field[],
  given: { readonly [F in Field]?: string | number | null | undefined },
): FieldValues<Field> {
  const values = fields.flatMap((field): [string, unknown][] => [
    [field, given[field] ?? null],
    [`sets_${field}`, given[field] === undefined ? 0 : 1],
  ])
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- fromEntries forgets which names it was given
  return Object.fromEntries(values) as FieldValues<Field>
}

export function recordValues(number: number, ifMatch?: number[]): RecordValues {
  return { number, if_match: ifMatch === undefined ? null : JSON.stringify(ifMatch) }
}

/** Whether the record's last change, as its column says, is none of those that `if_match` names. */
export function isEtagMismatch(p: Params<RecordValues>, lastChange: SQLiteColumn): SQL {
  return sql`${p.if_match} is not null
    and ${numberIn(sql`${lastChange}`)} not in (select value from json_each(${p.if_match}))`
}

/** A field, its value before the change and after it. */
export interface Compared {
  field: string
  from: SQL
  to: SQL
}

/** Whether any of the values changes. */
export function isAnyChanged(compared: Compared[]): SQL {
  return sql`(${sql.join(
    compared.map(({ from, to }) => sql`${from} is not ${to}`),
    sql` or `,
  )})`
}

/** What the event shows of the fields that change. VALUES, not UNION: D1 allows five terms of a compound SELECT. */
export function shownChanges(shows: 'changes' | 'fields', compared: Compared[]): SQL {
  const rows = compared.map(({ field, from, to }) => sql`(${field}, ${from}, ${to})`)
  const shown =
    shows === 'fields'
      ? sql`json_group_array(field)`
      : sql`json_group_object(field, json_object('from', "from", 'to', "to"))`
  return sql`(with compared(field, "from", "to") as (values ${sql.join(rows, sql`, `)})
    select json_object(${literal(shows)}, ${shown}) from compared where "from" is not "to")`
}

type ColumnOf<Table extends RecordTable> = keyof Table['_']['columns'] & string

interface ChangeOptions<Table extends RecordTable, Field extends ColumnOf<Table>, Own> {
  table: Table
  /** The column whose event is the ETag; left out, any change counts. */
  etag?: SQLiteColumn
  type: EventType
  fields: readonly Field[]
  /** Which records can be changed; of any other it is `not_found`. */
  where?: SQL
  /** What speaks against the change, told from the record's columns: names of verdicts, or null. */
  refusedWith?: (p: Params<ChangeValues<Field> & Own>) => SQL<Verdict | null>
  /** What a given value becomes beside the present one, where it is not taken as it is. */
  computed?: { readonly [F in Field]?: (given: Placeholder) => SQL }
  /** Whether the event shows the values before and after, or the names of the fields alone; left out, neither. */
  eventShows?: 'changes' | 'fields'
  /** Of an access: its event also bears whose it is, and to what. */
  eventColumns?: { user_id: SQL; product_id: SQL }
  /** What else is set; `to` gives a field's value after the change. */
  alsoSets?: (
    p: Params<ChangeValues<Field> & Own>,
    to: (field: Field) => SQL,
  ) => { readonly [Column in ColumnOf<Table>]?: SQL | Placeholder }
}

/** Of what the statements of a change consist: which record, its fields before and after, and the decision. */
function partsOf<Table extends RecordTable, Field extends ColumnOf<Table>, Own extends object>(
  options: ChangeOptions<Table, Field, Own>,
) {
  const { table, etag = table.event_id, fields, where, refusedWith, computed } = options
  type P = Params<ChangeValues<Field> & Own>
  const column = (field: Field): SQL => sql`${getTableColumns(table)[field]}`
  const given = (p: P, field: Field) => computed?.[field]?.(p[field]) ?? p[field]
  const to = (p: P, field: Field): SQL => sql`iif(${p[`sets_${field}`]}, ${given(p, field)}, ${column(field)})`
  const compared = (p: P) => fields.map((field) => ({ field, from: column(field), to: to(p, field) }))
  const record = (p: P): SQL => sql`${table.id} = ${idIn(p.store, p.number)} and ${where ?? sql`1`}`
  const decision = (p: P) =>
    decide<'unchanged'>(
      p,
      sql`(select case when ${table.id} is null then 'not_found' when ${isEtagMismatch(p, etag)} then 'etag_mismatch'
        else coalesce(${refusedWith?.(p) ?? null}, iif(${isAnyChanged(compared(p))}, null, 'unchanged')) end
        from (select 1) left join ${table} on ${record(p)})`,
    )
  return { to, compared, record, decision }
}

/**
 * The three statements of a change; `Own` are values that it needs beside the fields'. `unchanged` speaks against one
 * that would change nothing.
 */
export function changeOf<Table extends RecordTable, Field extends ColumnOf<Table>, Own extends object = {}>(
  options: ChangeOptions<Table, Field, Own>,
) {
  const { type, fields, eventShows, eventColumns, alsoSets } = options
  const table: RecordTable = options.table
  const { to, compared, record, decision } = partsOf(options)
  type Values = ChangeValues<Field> & Own
  type P = Params<Values>

  const tellStep = statement((p: P, orm) => tellDecision(orm, p, decision(p)))

  const eventStep = statement((p: P, orm) =>
    insertEvent(orm, p, {
      type,
      decision: decision(p),
      record: table,
      ...eventColumns,
      ...(eventShows && { data: shownChanges(eventShows, compared(p)) }),
      where: record(p),
    }),
  )

  const applyStep = statement((p: P, orm) => {
    const set: Record<string, SQL | Placeholder> = Object.fromEntries(fields.map((field) => [field, to(p, field)]))
    return orm
      .update(table)
      .set({ ...set, ...alsoSets?.(p, (field) => to(p, field)), event_id: eventId })
      .from(sql`${events} e`)
      .where(followsOwnEvent(p, table))
  })

  return (values: Values) => ({
    event: eventStep(values),
    change: applyStep(values),
    told: tellStep(values),
  })
}

interface ChangeToSend<Row> {
  call: Call
  steps: ReturnType<ReturnType<typeof changeOf>>
  /** Selects the record. */
  found: Step<Row>
}

/** Sends a change and answers the record as it is afterwards. Throws `not_found`, `etag_mismatch` and its own verdicts. */
export async function sendChange<Row extends { id: number }>(
  db: Db,
  { call, steps, found }: ChangeToSend<Row>,
): Promise<Row> {
  const { event, change } = steps
  const { told } = await batch(
    db,
    { event, change, told: beside(steps.told, found), lastUse: noteLastUse(call) },
    { retry: 'it finds its own event' },
  )
  const verdict = settleAndWake(db, told)
  if (verdict !== null && verdict !== 'unchanged') throw refusal(verdict)
  return foundBeside<Row>(told)
}
