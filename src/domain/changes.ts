/**
 * Changing fields of a record that is there: its decision, its event and the change itself, in the form that all
 * resources share. A field that is left out keeps its value, and where nothing differs nothing is written.
 */
import { getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { batch, type Db, type Params, statement, type Step } from '../db/batch.ts'
import { idIn, numberIn } from '../db/ids.ts'
import { literal } from '../db/literal.ts'
import { events } from '../db/schema.ts'
import type { Call, CallValues } from './caller.ts'
import { decide, followsOwnEvent, insertEvent, settle, tellDecision } from './decisions.ts'
import type { EventType } from './event-types.ts'
import { refusal, type Verdict } from './facts.ts'
import { noteUse, storeNumber } from './gate.ts'

/** Which record, and the events of which one must be its last change (a JSON list of numbers); null: any. */
export interface RecordValues {
  number: number
  expected: string | null
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

export function recordValues(number: number, expected?: number[]): RecordValues {
  return { number, expected: expected === undefined ? null : JSON.stringify(expected) }
}

/** Whether the record's last change, as its column says, is none of those that the caller expects. */
export function isUnexpected(p: Params<RecordValues>, lastChange: SQLiteColumn): SQL {
  return sql`${p.expected} is not null
    and ${numberIn(sql`${lastChange}`)} not in (select value from json_each(${p.expected}))`
}

interface ChangeOptions<Field extends string, Own> {
  table: SQLiteTable & { id: SQLiteColumn; event_id: SQLiteColumn }
  /** The column whose event is the ETag; left out, any change counts. */
  etag?: SQLiteColumn
  type: EventType
  fields: readonly Field[]
  /** Which records can be changed; of any other it is `not_found`. */
  where?: SQL
  /** What speaks against the change, told from the record's columns: names of verdicts, or null. */
  unless?: (p: Params<ChangeValues<Field> & Own>) => SQL<Verdict | null>
  /** What a given value becomes beside the present one, where it is not taken as it is. */
  taken?: { readonly [F in Field]?: (given: Placeholder) => SQL }
  /** Whether the event tells the values before and after, or the names of the fields alone; left out, neither. */
  reveals?: 'changes' | 'fields'
  /** Of an access: whose it is, and to what. */
  about?: { user_id: SQL; product_id: SQL }
  /** What else is set; `to` gives a field's value after the change. */
  also?: (p: Params<ChangeValues<Field> & Own>, to: (field: Field) => SQL) => Record<string, SQL | Placeholder>
}

export type ChangeVerdict = 'unchanged'

/**
 * The three statements of a change; `Own` are values that it needs beside the fields'. `unchanged` speaks against one
 * that would change nothing.
 */
export function changeOf<Field extends string, Own extends object = {}>({
  table,
  ...options
}: ChangeOptions<Field, Own>) {
  const { etag = table.event_id, type, fields, where, unless, taken, reveals, about, also } = options
  type Values = Omit<ChangeValues<Field> & Own, 'look'>
  type P = Params<ChangeValues<Field> & Own>
  const column = (field: Field): SQL => sql`${getTableColumns(table)[field]}`
  const given = (p: P, field: Field) => taken?.[field]?.(p[field]) ?? p[field]
  const to = (p: P, field: Field): SQL => sql`iif(${p[`sets_${field}`]}, ${given(p, field)}, ${column(field)})`
  const record = (p: P): SQL => sql`${table.id} = ${idIn(storeNumber(p), p.number)} and ${where ?? sql`1`}`

  function decideChange(p: P) {
    const differs = sql.join(
      fields.map((field) => sql`${column(field)} is not ${to(p, field)}`),
      sql` or `,
    )
    return decide<ChangeVerdict>(
      p,
      sql`(select case when ${table.id} is null then 'not_found' when ${isUnexpected(p, etag)} then 'etag_mismatch'
        else coalesce(${unless?.(p) ?? null}, iif(${differs}, null, 'unchanged')) end
        from (select 1) left join ${table} on ${record(p)})`,
    )
  }

  function data(p: P): SQL | undefined {
    if (reveals === undefined) return undefined
    // VALUES, not UNION: D1 allows five terms of a compound SELECT.
    const compared = sql.join(
      fields.map((field) => sql`(${field}, ${column(field)}, ${to(p, field)})`),
      sql`, `,
    )
    const shown =
      reveals === 'fields'
        ? sql`json_group_array(field)`
        : sql`json_group_object(field, json_object('from', old, 'to', new))`
    return sql`(with compared(field, old, new) as (values ${compared})
      select json_object(${literal(reveals)}, ${shown}) from compared where old is not new)`
  }

  const tellStep = statement((p: P, orm) => tellDecision(orm, p, decideChange(p)))

  const eventStep = statement((p: P, orm) =>
    insertEvent(orm, p, {
      type,
      decision: decideChange(p),
      record: { id: sql`${table.id}`, event_id: sql`${table.event_id}` },
      ...about,
      data: data(p) ?? sql`null`,
      from: sql`from ${table}`,
      where: record(p),
    }),
  )

  const applyStep = statement((p: P, orm) => {
    const set: Record<string, SQL | Placeholder> = Object.fromEntries(fields.map((field) => [field, to(p, field)]))
    return orm
      .update(table)
      .set({ ...set, ...also?.(p, (field) => to(p, field)), event_id: sql`e.id` })
      .from(sql`${events} e`)
      .where(followsOwnEvent(p, { id: sql`${table.id}`, event_id: sql`${table.event_id}` }))
  })

  return (values: Values) => ({
    told: tellStep(values),
    event: eventStep(values),
    change: applyStep(values),
  })
}

type ChangeSteps = ReturnType<ReturnType<typeof changeOf>>

/** Sends a change and answers the record as it is afterwards. Throws `not_found`, `etag_mismatch` and its own verdicts. */
export async function sendChange<Row>(db: Db, call: Call, steps: ChangeSteps, found: Step<Row>): Promise<Row> {
  const answers = await batch(db, { ...steps, rows: found, use: noteUse(call) }, { retry: 'it finds its own event' })
  const verdict = settle(db, answers.told)
  if (verdict !== null && verdict !== 'unchanged') throw refusal(verdict)
  const [row] = answers.rows
  if (!row) throw refusal('not_found')
  return row
}
