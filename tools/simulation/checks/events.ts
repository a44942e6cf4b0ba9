/** Checks a store's events: their order, what followers have read, and the announcements of ends of accesses. */
import { isOpen } from '../contract.ts'
import type { StoreEvidence } from './evidence.ts'
import type { FollowerLog } from '../clients/followers.ts'
import { dataOf, type Row, toRow } from '../rows.ts'

const DAY_MS = 86_400_000

export function checkEvents(evidence: StoreEvidence, lastRun: number): string[] {
  const { events, followed, accesses } = evidence
  const notices = noticesOf(events)
  return [
    ...checkOrder(events),
    ...followed.flatMap((each) => checkFollower(each, events)),
    ...events
      .filter(({ type }) => type === 'product_access.granted')
      .flatMap(({ id }) => checkAccess(id, { events, accesses, lastRun, notices })),
  ]
}

/** The first event is `store.created`, with id 1, and no id is missing. No request has two events that say the same. */
function checkOrder(events: Row[]): string[] {
  const said = new Set<string>()
  return events.flatMap(({ id, request_id, type, data }, i) => {
    const key = `${String(request_id)} ${String(type)} ${JSON.stringify(data)}`
    const isTwice = request_id !== null && said.has(key)
    said.add(key)
    const isMisplaced = Number(id) !== i + 1
    return [
      ...(isMisplaced ? [`event ${String(id)} is at position ${i + 1}`] : []),
      ...(isTwice ? [`two events have ${key}`] : []),
    ]
  })
}

/** A follower reads without a gap, except for deleted events about which a 410 informed it. */
function checkFollower({ type, events: read, missed }: FollowerLog, events: Row[]): string[] {
  const ids = read.map(({ id }) => Number(id))
  const isMissed = (id: number) => missed.some(({ after, oldest }) => id > after && id < oldest)
  const expected = events
    .filter((event) => type === undefined || event['type'] === type)
    .map(({ id }) => Number(id))
    .filter((id) => !isMissed(id))
  const until = ids.at(-1) ?? 0
  const difference = ids.findIndex((id, i) => expected[i] !== id)
  if (difference !== -1)
    return [`a follower of ${type ?? 'all'} got another event: ${ids[difference]} instead of ${expected[difference]}`]
  const left = expected.slice(ids.length)
  // Events that were inserted after its last page are not missing.
  const since = events.find(({ id }) => Number(id) > until)
  return left.length === 0 || since !== undefined ? [] : [`a follower of ${type ?? 'all'} has not read ${left.join()}`]
}

/** How many days before its date an access is announced: the setting of the store, from each of these times on. */
interface Notice {
  since: number
  days: number
}

const DEFAULT_NOTICE_DAYS = 7

function noticesOf(events: Row[]): Notice[] {
  const changes = events.flatMap((event) => {
    const { to } = toRow(toRow(dataOf(event)['changes'])['expiry_notice_days'])
    return typeof to === 'number' ? [{ since: timeOf(event), days: to }] : []
  })
  return [{ since: -Infinity, days: DEFAULT_NOTICE_DAYS }, ...changes]
}

const daysAt = (notices: Notice[], time: number) => notices.findLast(({ since }) => since <= time)?.days ?? 0

interface Access {
  /** Undefined until an event shows the value. */
  status: unknown
  access_due_date: unknown
  isAnnounced: boolean
  hasExpired: boolean
  /** When this date and this status were set. */
  since: number
}

interface Context {
  events: Row[]
  accesses: Row[]
  lastRun: number
  notices: Notice[]
}

/** While few jobs run, an announcement takes this long; it takes less if they run every minute. */
const PATIENCE_MS = 6 * 3_600_000

/** True if the jobs had enough time, after the date was set and before it passed, to announce that it will pass. */
function mustBeAnnounced({ status, access_due_date: due, since }: Access, notices: Notice[], until: number): boolean {
  if (!isOpen(status) || typeof due !== 'string') return false
  const end = Math.min(Date.parse(due), until)
  const begin = end - PATIENCE_MS
  // The notice must have been the same during the whole time, and long enough.
  const days = daysAt(notices, begin)
  const isSteady = !notices.some(({ since }) => since > begin && since <= end)
  return isSteady && since <= begin && Date.parse(due) - days * DAY_MS <= begin
}

/** Follows the events of the access as it was granted, and returns which announcements are wrong or missing. */
function checkAccess(id: unknown, { events, accesses, lastRun, notices }: Context): string[] {
  const own = events.filter((event) => dataOf(event)['product_access_id'] === id)
  const now = accesses.find((access) => access['id'] === id)
  const first = (field: string) => {
    const change = own.map((event) => toRow(dataOf(event)['changes'])[field]).find((each) => each !== undefined)
    return change === undefined ? now?.[field] : toRow(change)['from']
  }
  const state: Access = {
    status: first('status'),
    access_due_date: first('access_due_date'),
    isAnnounced: false,
    hasExpired: false,
    since: timeOf(own[0]),
  }
  const [granted] = own
  state.isAnnounced = dueBy(state, timeOf(granted))
  const violations = own.slice(1).flatMap((event) => applyEvent(state, event, notices))
  if (!now) return violations.map((text) => `access ${String(id)}: ${text}`)
  const isOver = isOpen(state.status) && dueBy(state, lastRun)
  if (isOver && !state.hasExpired) violations.push('its expiry was not announced')
  if (!state.isAnnounced && mustBeAnnounced(state, notices, lastRun))
    violations.push('its end was not announced in advance')
  return violations.map((text) => `access ${String(id)}: ${text}`)
}

/** Returns what is wrong with the event in this state, and applies the event to the state. */
function applyEvent(state: Access, event: Row, notices: Notice[]): string[] {
  const { id, type } = event
  const time = timeOf(event)
  const violation = (text: string) => [`event ${String(id)} ${text}`]
  if (type === 'product_access.updated') applyChanges(state, event)
  if (type !== 'product_access.expiring' && type !== 'product_access.expired') return []
  const isExpiry = type === 'product_access.expired'
  const wasAnnounced = isExpiry ? state.hasExpired : state.isAnnounced
  const isDue =
    state.access_due_date === undefined || dueBy(state, isExpiry ? time - 1 : time + daysAt(notices, time) * DAY_MS)
  const isMissing = isExpiry && !state.isAnnounced && mustBeAnnounced(state, notices, time)
  if (isExpiry) state.hasExpired = true
  state.isAnnounced = true
  if (isMissing) return violation('was not announced in advance')
  if (!isExpiry && daysAt(notices, time) === 0) return violation('announces an end, and the notice is 0')
  if (wasAnnounced) return violation(`announces the expiry again`)
  return isDue && (state.status === undefined || isOpen(state.status))
    ? []
    : violation(`announces an expiry that is not due`)
}

function applyChanges(state: Access, event: Row): void {
  const { status, access_due_date: due } = toRow(dataOf(event)['changes'])
  const before = { ...state }
  if (status !== undefined) state.status = toRow(status)['to']
  if (due !== undefined) state.access_due_date = toRow(due)['to']
  const returns = before.status !== undefined && !isOpen(before.status) && isOpen(state.status)
  const moves = before.access_due_date !== state.access_due_date
  if (moves || returns) Object.assign(state, { hasExpired: false, since: timeOf(event) })
  if (moves || (returns && dueBy(state, timeOf(event)))) state.isAnnounced = dueBy(state, timeOf(event))
}

function timeOf(event: Row | undefined): number {
  return Date.parse(String(event?.['timestamp']))
}

function dueBy({ access_due_date: due }: Access, time: number): boolean {
  return typeof due === 'string' && Date.parse(due) <= time
}
