/**
 * Reads the people of a batch before an update, to say what it changes, and leaves out of each row what the store has
 * already: a text that differs only in what reading takes off, or a day whose stored end is written in the same way.
 */
import { isObject } from '../../src/lib/json.ts'
import type { PreparedRow } from './batches.ts'
import { afterRow, type Change, changesOf, joinedName, personIn, readUsers } from './changes.ts'
import type { Columns } from './columns.ts'
import { CUSTOM_FIELD, REQUIRED } from './fields.ts'
import type { SeenEmails } from './fingerprint.ts'
import { leftFields } from './left-fields.ts'
import { isTemporary, pauseMs, postItems, type Result } from './post.ts'
import type { Row } from './read.ts'
import type { Import, State } from './state.ts'
import { type Comparison, compareAccesses, readAccesses, type StoredAccess } from './stored-accesses.ts'

type Values = Record<string, unknown>

/**
 * A dry run writes nothing, so a later row about the same person must be compared with what the rows before it would have
 * made of them. The keys are the emails that several rows have, or each user of the file would be kept in memory.
 */
export type PlannedUsers = Map<string, PlannedUser | undefined>

export interface PlannedUser {
  user: Values
  accesses: StoredAccess[]
}

export interface Plan {
  batch: PreparedRow[]
  changes: Change[]
  /** The rows whose accesses could not be compared, because the token may not read accesses. */
  uncompared: Row[]
}

interface Planning {
  run: Import
  columns: Columns
  seen: SeenEmails
  planned: PlannedUsers
  /** As in `State`. */
  newest: number
}

/** Without `update`, and for rows that cannot be sent, there is nothing to compare. */
export async function planBatch(planning: Planning, batch: PreparedRow[], state: State): Promise<Plan> {
  const { run, columns } = planning
  const { client, keeper, onExisting } = run
  if (onExisting !== 'update') return { batch, changes: [], uncompared: [] }
  const sent = batch.filter(({ text }) => text !== undefined)
  const results = await predict(run, sent)
  const ids = results.flatMap(({ status, id }) => (status === 200 && id !== undefined ? [id] : []))
  const users = await readUsers(client, ids)
  const withAccesses = sent.flatMap(({ item }, i) => {
    const id = results[i]?.id
    return hasAccesses(item) && id !== undefined && users.has(id) ? [id] : []
  })
  const accesses = await readAccesses(client, withAccesses)
  const rows = new Map<PreparedRow, Settled>()
  for (const [i, prepared] of sent.entries()) {
    const { id = '', status = 0 } = results[i] ?? {}
    const isNameless = (prepared.keptName?.reasons.length ?? 0) > 0
    const isUnsent = status !== 200 && (run.only === 'update' || isNameless)
    const unsent = isUnsent ? notSent(prepared, results[i], { run, columns }) : undefined
    if (unsent) {
      rows.set(prepared, { prepared: unsent, isUncompared: false })
      continue
    }
    const user = users.get(id)
    const stored = user && { user, accesses: accesses?.get(id) ?? [] }
    if (status < 300) rows.set(prepared, settle(planning, prepared, { id, stored, isComplete: accesses !== undefined }))
  }
  const changes = [...rows.values()].flatMap(({ change }) => change ?? [])
  return {
    batch: batch.map((prepared) => rows.get(prepared)?.prepared ?? prepared),
    changes: (await keeper.keepChanges?.(changes, state)) ?? changes,
    uncompared: [...rows.values()].flatMap(({ prepared, isUncompared }) => (isUncompared ? [prepared.row] : [])),
  }
}

/** Returns the results of a dry run. An import that only updates needs one of each row, or it could create somebody. */
async function predict(run: Import, sent: PreparedRow[]): Promise<Result[]> {
  const results: Result[] = []
  let pending = [...sent.keys()]
  for (let attempts = 1; pending.length > 0; attempts++) {
    const texts = pending.flatMap((i) => predicted(sent[i]) ?? [])
    const { response, results: found } = await postItems({ ...run, dryRun: true }, texts)
    for (const [i, result] of found.entries()) results[pending[i] ?? 0] = result
    pending = run.only === 'update' ? pending.filter((i) => isTemporary(results[i], attempts)) : []
    if (pending.length > 0) await run.client.pause(pauseMs(run, response), { code: 'rows' })
  }
  return results
}

/** Whoever keeps the stored name needs none that could be split. */
function predicted(row: PreparedRow | undefined): string | undefined {
  if (row?.text === undefined || row.keptName === undefined) return row?.text
  return JSON.stringify({ ...row.item, name: '-', last_name: '-' })
}

/** A row that would create somebody, or that the service rejects, so that it cannot say whether it would. */
function notSent(
  row: PreparedRow,
  result: Result | undefined,
  { run, columns }: Pick<Planning, 'run' | 'columns'>,
): PreparedRow {
  const { text: _, ...prepared } = row
  if (result?.status === 201 && run.only === 'update') return { ...prepared, isLeftOut: true }
  const rejected = result?.status === 201 ? [] : columns.toReasons(result?.error, prepared.item)
  return { ...prepared, reasons: [...rejected, ...(prepared.keptName?.reasons ?? [])] }
}

interface Settled {
  prepared: PreparedRow
  change?: Change
  isUncompared: boolean
}

interface Found {
  id: string
  stored: PlannedUser | undefined
  /** False if the token may not read accesses. */
  isComplete: boolean
}

function settle({ run, columns, seen, planned, newest }: Planning, prepared: PreparedRow, found: Found): Settled {
  const { row, emailKey = '', localDates = new Map<number, string>() } = prepared
  const before = planned.get(emailKey) ?? found.stored
  if (before === undefined) {
    const { item } = prepared
    const { after } = compareAccesses(accessesIn(item), [], { ...comparisonOf(run), localDates })
    if (planned.has(emailKey)) planned.set(emailKey, { user: afterRow({}, item), accesses: after })
    return { prepared, isUncompared: false }
  }
  const item = settledItem(prepared, before.user, columns)
  const canCompare = found.isComplete || !hasAccesses(item)
  const compared = compareAccesses(accessesIn(item), before.accesses, { ...comparisonOf(run), localDates })
  const settled = canCompare && hasAccesses(item) ? { ...item, product_accesses: compared.settled } : item
  if (planned.has(emailKey)) planned.set(emailKey, { user: afterRow(before.user, settled), accesses: compared.after })
  const changes = changesOf(settled, before.user, columns.isSame)
  const accesses = canCompare ? compared.changes : []
  const repeats = seen.find(emailKey)
  const change = {
    line: row.line,
    id: found.id,
    person: personIn(before.user),
    before: before.user,
    changes,
    accesses,
    left: leftFields(
      changes.map(({ field }) => field),
      settled,
      before.user,
    ),
    ...(Number(found.id) > newest && { isRecent: true }),
    ...(repeats !== undefined && { repeats }),
  }
  return {
    prepared: {
      ...prepared,
      item: settled,
      text: JSON.stringify(settled),
      ...(canCompare && compared.unlimited.length > 0 && { unlimited: compared.unlimited }),
    },
    ...(changes.length + accesses.length > 0 && { change }),
    isUncompared: !canCompare,
  }
}

function comparisonOf({ source, neverShorten = false }: Import): Omit<Comparison, 'localDates'> {
  return { zone: source.timeZone ?? 'UTC', neverShorten }
}

/** Leaves out the values that are stored already, and takes the stored ones for those that must be sent. */
function settledItem({ item: read, wholeName, keptName }: PreparedRow, user: Values, { isSame }: Columns): Values {
  // The stored name may be split in another way, which nobody has asked to change.
  const isSameName = keptName !== undefined || (wholeName !== undefined && joinedName(user) === wholeName)
  const item = keptName ? { name: '', last_name: '', ...read } : read
  const entries = Object.entries(item).flatMap(([field, value]): [string, unknown][] => {
    if (field === 'custom_fields' && isObject(value)) return customEntry(value, user['custom_fields'], isSame)
    const isStored = isSame(field, user[field], value) || (isSameName && (field === 'name' || field === 'last_name'))
    if (!isStored) return [[field, value]]
    return REQUIRED.includes(field) ? [[field, user[field]]] : []
  })
  return Object.fromEntries(entries)
}

function customEntry(values: Values, stored: unknown, isSame: Columns['isSame']): [string, unknown][] {
  const before = new Map(Object.entries(isObject(stored) ? stored : {}))
  const rest = Object.entries(values).filter(([key, value]) => !isSame(CUSTOM_FIELD + key, before.get(key), value))
  // The Map accepts any key; in an object literal, the key `__proto__` would set the prototype.
  return rest.length === 0 ? [] : [['custom_fields', Object.fromEntries(new Map(rest))]]
}

function accessesIn({ product_accesses: accesses }: Values): Values[] {
  return Array.isArray(accesses) ? accesses.filter(isObject) : []
}

function hasAccesses(item: Values): boolean {
  return accessesIn(item).length > 0
}
