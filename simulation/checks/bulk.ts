/** Checks bulk changes at the end of a run, by the events of the accesses of their course. */
import type { Course } from '../clients/bulk.ts'
import * as contract from '../contract.ts'
import { type StoreEvidence, readAll } from './evidence.ts'
import type { History } from '../clients/history.ts'
import { dataOf, type Row, toRow } from '../rows.ts'

const DAY_MS = 86_400_000

export async function haveEnded(history: History, name: string, store: string): Promise<boolean> {
  const all = await readAll(history, `${name} bulk changes`, contract.listBulkChanges, store)
  return all.every(({ finished_at }) => finished_at !== null)
}

interface Context {
  events: Row[]
  accesses: string[]
  all: Row[]
  oldest: number
}

export async function checkBulkChanges(
  history: History,
  { store, events, oldest }: StoreEvidence,
  { accesses, canceled }: Pick<Course, 'accesses' | 'canceled'>,
): Promise<string[]> {
  const all = await readAll(history, 'end bulk changes', contract.listBulkChanges, store.id)
  const violations = all.flatMap((bulkChange) =>
    checkOne(bulkChange, { events, accesses, all, oldest }).map(
      (text) => `bulk change ${String(bulkChange['id'])}: ${text}`,
    ),
  )
  const reverts = all.filter(
    (each) => each['reverts'] !== null && !['canceled', 'failed'].includes(String(each['state'])),
  )
  const twice = reverts.filter(({ reverts: first }, i) => reverts.findIndex((each) => each['reverts'] === first) !== i)
  const unnoted = reverts.filter(
    ({ id, reverts: first }) => all.find((each) => each['id'] === first)?.['reverted_by'] !== id,
  )
  const ran = all.filter(({ id, state }) => canceled.has(String(id)) && state !== 'canceled')
  return [
    ...violations,
    ...checkOrder(events),
    ...twice.map(({ reverts: first }) => `bulk change ${String(first)} was reverted twice`),
    ...unnoted.map(({ reverts: first }) => `bulk change ${String(first)} does not say that it was reverted`),
    ...ran.map(({ id, state }) => `bulk change ${String(id)} was canceled and is ${String(state)}`),
  ]
}

/** A store runs one bulk change at a time. */
function checkOrder(events: Row[]): string[] {
  const ids = events
    .filter(({ type }) => type === 'product_access.updated')
    .flatMap((event) => {
      const { bulk_change_id } = dataOf(event)
      return typeof bulk_change_id === 'string' ? [bulk_change_id] : []
    })
  const begun = ids.filter((id, i) => ids[i - 1] !== id)
  return new Set(begun).size === begun.length ? [] : [`bulk changes run at the same time: ${begun.join()}`]
}

const isOf = (event: Row, id: unknown) =>
  event['type'] === 'product_access.updated' && dataOf(event)['bulk_change_id'] === id

function checkOne(bulkChange: Row, context: Context): string[] {
  const { id, state, dry_run, matched, changed, unchanged, reverts } = bulkChange
  const own = context.events.filter((event) => isOf(event, id))
  const isDone = state === 'done'
  const ends = endsOf(bulkChange, context)
  // Its events were deleted before a follower read them.
  if (dry_run !== true && ends === undefined) return []
  return [
    ...(isDone || state === 'canceled' ? [] : [`it is ${String(state)}`]),
    ...(matched === Number(changed) + Number(unchanged) ? [] : ['its counts do not add up']),
    ...(ends !== undefined && ends.count > 1 ? ['it has ended twice'] : []),
    ...checkEach(own),
    ...(dry_run === true ? [] : checkCount(own, Number(changed))),
    ...(dry_run === true && own.length > 0 ? ['a dry run has changed accesses'] : []),
    ...(isDone && reverts === null && matched !== context.accesses.length ? [`it matched ${String(matched)}`] : []),
    ...own.flatMap((event) => checkEvent(event, bulkChange, ends)),
    ...(isDone && reverts !== null && ends ? checkRevert(bulkChange, { ...context, ends }) : []),
  ]
}

/** No access is changed twice. */
function checkEach(own: Row[]): string[] {
  const seen = own.map((event) => dataOf(event)['product_access_id'])
  return seen
    .filter((access, i) => seen.indexOf(access) !== i)
    .map((access) => `access ${String(access)} changed twice`)
}

function checkCount(own: Row[], changed: number): string[] {
  return own.length === changed ? [] : [`it counts ${changed} changes, and there are ${own.length}`]
}

interface Ends {
  created: Row
  ended: Row
  /** How many events say that it has ended. */
  count: number
}

function endsOf({ id }: Row, { events }: Pick<Context, 'events'>): Ends | undefined {
  const about = events.filter((event) => dataOf(event)['bulk_change_id'] === id)
  const created = about.find(({ type }) => type === 'bulk_change.created')
  const ended = about.filter(({ type }) => type === 'bulk_change.canceled' || type === 'bulk_change.finished')
  const [first] = ended
  return created && first && { created, ended: first, count: ended.length }
}

/** An event has the request of the bulk change, lies between its ends, and does what it says. */
function checkEvent(event: Row, { id, change, created_at }: Row, ends: Ends | undefined): string[] {
  const number = Number(event['id'])
  const isBetween = ends && Number(ends.created['id']) < number && number < Number(ends.ended['id'])
  const { access_due_date } = toRow(dataOf(event)['changes'])
  const { extend_days } = toRow(change)
  const { from, to } = toRow(access_due_date)
  const start = Math.max(Date.parse(String(from)), Date.parse(String(created_at)))
  const isExtended = extend_days === undefined || Date.parse(String(to)) === start + Number(extend_days) * DAY_MS
  return [
    ...(isBetween ? [] : [`event ${number} is outside of it`]),
    ...(event['request_id'] === ends?.created['request_id'] ? [] : [`event ${number} has another request`]),
    ...(access_due_date === undefined || isExtended ? [] : [`event ${number} of ${String(id)} extends wrongly`]),
  ]
}

/**
 * A revert gives back what the first one changed, to accesses that are as that one left them. An access without an event
 * of the revert must have been changed in between.
 */
function checkRevert({ id, reverts }: Row, context: Context & { ends: Ends }): string[] {
  const { events, ends } = context
  const first = events.filter((event) => isOf(event, reverts))
  return first.flatMap((event) => {
    const access = dataOf(event)['product_access_id']
    const later = events.filter(
      (each) =>
        each['type'] === 'product_access.updated' &&
        dataOf(each)['product_access_id'] === access &&
        Number(each['id']) > Number(event['id']) &&
        Number(each['id']) < Number(ends.ended['id']),
    )
    const restored = later.find((each) => isOf(each, id))
    if (restored === undefined) return later.length > 0 ? [] : [`access ${String(access)} was not restored`]
    const steps = later.slice(0, later.indexOf(restored))
    const net = netOf(steps)
    if (net.size > 0) return [`access ${String(access)} was restored, though ${[...net].join()} had changed`]
    const expected = inverted(event)
    return JSON.stringify(inverted(restored, false)) === JSON.stringify(expected)
      ? []
      : [`access ${String(access)} was restored to ${JSON.stringify(dataOf(restored)['changes'])}`]
  })
}

/** The fields that have another value after the events than before. */
function netOf(events: Row[]): Set<string> {
  const before = new Map<string, unknown>()
  const after = new Map<string, unknown>()
  for (const event of events) {
    for (const [field, change] of Object.entries(toRow(dataOf(event)['changes']))) {
      const { from, to } = toRow(change)
      if (!before.has(field)) before.set(field, from)
      after.set(field, to)
    }
  }
  return new Set([...after.keys()].filter((field) => after.get(field) !== before.get(field)))
}

/** The changes of an event, by field; inverted, what takes them back. */
function inverted(event: Row, isInverted = true): unknown[] {
  const changes = Object.entries(toRow(dataOf(event)['changes'])).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return changes.map(([field, change]) => {
    const { from, to } = toRow(change)
    return isInverted ? [field, to, from] : [field, from, to]
  })
}
