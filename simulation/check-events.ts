/** What must hold of a store's events: their order, what each follows from, and what followers have read of them. */
import type { StoreEvidence } from './evidence.ts'
import type { Followed } from './followers.ts'
import { describe, type History } from './history.ts'
import { dataOf, type Row, toRow } from './rows.ts'

const DAY_MS = 86_400_000

export function checkEvents(evidence: StoreEvidence, history: History, lastRun: number): string[] {
  const { store, events, followed, accesses } = evidence
  return [
    ...checkOrder(events),
    ...checkRequests(history, events, store.id),
    ...followed.flatMap((each) => checkFollower(each, events)),
    ...checkTags(history, events, store.id),
    ...events
      .filter(({ type }) => type === 'product_access.granted')
      .flatMap(({ id }) => checkAccess(id, events, accesses, lastRun)),
  ]
}

export function isErased(events: Row[], user: unknown): boolean {
  return events.some((event) => event['type'] === 'user.erased' && dataOf(event)['user_id'] === user)
}

/** The first is the store's own. */
function checkOrder(events: Row[]): string[] {
  return events.flatMap(({ id }, i) => (Number(id) === i + 1 ? [] : [`event ${String(id)} is the ${i + 1}th`]))
}

/** A change that was answered has one event, what was refused none, and no request two of one record. */
function checkRequests({ told }: History, events: Row[], store: string): string[] {
  const asked = new Map(told.map((each) => [each.headers.get('X-Request-Id'), each]))
  const seen = new Set<string>()
  const types = new Map<unknown, unknown>()
  const wrong = events.flatMap((event) => {
    const { id, request_id, type, actor } = event
    if (typeof request_id !== 'string') {
      return toRow(actor)['type'] === 'system' ? [] : [`event ${String(id)} has no request`]
    }
    const key = `${request_id} ${String(type)} ${JSON.stringify(event['data'])}`
    const isTwice = seen.has(key)
    seen.add(key)
    types.set(request_id, type)
    const request = asked.get(request_id)
    return [
      ...(isTwice ? [`two events of ${key}`] : []),
      ...(request?.isRefused ? [`event ${String(id)} is of a refused request: ${describe(request)}`] : []),
    ]
  })
  const silent = told.filter(({ end, isRefused, isReplay, ask, headers }) => {
    const isChange = end !== Infinity && !isRefused && !isReplay && ask.event !== undefined
    return isChange && ask.path.includes(`/stores/${store}/`) && types.get(headers.get('X-Request-Id')) !== ask.event
  })
  return [...wrong, ...silent.map((each) => `no event of its own: ${describe(each)}`)]
}

/** Read without a gap, but for what it was told to be too late for. */
function checkFollower({ type, events: read, missed }: Followed, events: Row[]): string[] {
  const ids = read.map(({ id }) => Number(id))
  const isMissed = (id: number) => missed.some(({ after, oldest }) => id > after && id < oldest)
  const expected = events
    .filter((event) => type === undefined || event['type'] === type)
    .map(({ id }) => Number(id))
    .filter((id) => !isMissed(id))
  const until = ids.at(-1) ?? 0
  const at = ids.findIndex((id, i) => expected[i] !== id)
  if (at !== -1) return [`a follower of ${type ?? 'all'}: instead of ${expected[at]} came ${ids[at]}`]
  const left = expected.slice(ids.length)
  // What has happened since its last page.
  const since = events.find(({ id }) => Number(id) > until)
  return left.length === 0 || since !== undefined ? [] : [`a follower of ${type ?? 'all'} has not read ${left.join()}`]
}

/** An ETag names a change of the very record. */
function checkTags({ told }: History, events: Row[], store: string): string[] {
  const byId = new Map(events.map((event) => [String(event['id']), event]))
  return told.flatMap((each) => {
    const [, record, change] = /^"(\d+)-(\d+)"$/.exec(each.headers.get('ETag') ?? '') ?? []
    if (record === undefined || !each.ask.path.includes(`/stores/${store}/`)) return []
    const { product_access_id, user_id } = dataOf(byId.get(change ?? '') ?? {})
    return (product_access_id ?? user_id) === record ? [] : [`a tag of another record: ${describe(each)}`]
  })
}

interface Access {
  /** Undefined as long as nothing has told it. */
  status: unknown
  access_due_date: unknown
  isAnnounced: boolean
  hasExpired: boolean
}

/** From what it was granted as, event by event, to what it is. */
function checkAccess(id: unknown, events: Row[], accesses: Row[], lastRun: number): string[] {
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
  }
  const [granted] = own
  state.isAnnounced = dueBy(state, timeOf(granted))
  const wrong = own.slice(1).flatMap((event) => follow(state, event))
  if (!now) return wrong.map((text) => `access ${String(id)}: ${text}`)
  for (const field of ['status', 'access_due_date'] as const) {
    if (now[field] !== state[field])
      wrong.push(`${field} is ${String(now[field])}, by its events ${String(state[field])}`)
  }
  const isOver = state.status === 'with_access' && dueBy(state, lastRun)
  if (isOver && !state.hasExpired) wrong.push('its end was not told')
  return wrong.map((text) => `access ${String(id)}: ${text}`)
}

/** What is wrong with an event in this state, which it changes. */
function follow(state: Access, event: Row): string[] {
  const { id, type } = event
  const time = timeOf(event)
  const wrong = (text: string) => [`event ${String(id)} ${text}`]
  if (type === 'product_access.granted') return wrong('grants it once more')
  if (type === 'product_access.updated') return change(state, event)
  if (type === 'product_access.progressed') return []
  const isExpiry = type === 'product_access.expired'
  const hasBeenTold = isExpiry ? state.hasExpired : state.isAnnounced
  const isDue = state.access_due_date === undefined || dueBy(state, isExpiry ? time - 1 : time + 7 * DAY_MS)
  if (isExpiry) state.hasExpired = true
  state.isAnnounced = true
  if (hasBeenTold) return wrong(`tells the end once more`)
  return isDue && state.status !== 'without_access' ? [] : wrong(`tells an end that is none`)
}

function change(state: Access, event: Row): string[] {
  const changes = Object.entries(toRow(dataOf(event)['changes']))
  const wrong = changes.length === 0 ? ['it changes nothing'] : []
  const before = { ...state }
  for (const [field, each] of changes) {
    const { from, to } = toRow(each)
    if (field !== 'status' && field !== 'access_due_date') wrong.push(`${field} is no field of its own`)
    else {
      if ((state[field] !== undefined && state[field] !== from) || from === to) {
        wrong.push(`${field} from ${String(from)} to ${String(to)}, was ${String(state[field])}`)
      }
      state[field] = to
    }
  }
  const returns = before.status === 'without_access' && state.status === 'with_access'
  const moves = before.access_due_date !== state.access_due_date
  if (moves || returns) state.hasExpired = false
  if (moves || (returns && dueBy(state, timeOf(event)))) state.isAnnounced = dueBy(state, timeOf(event))
  return wrong.map((text) => `event ${String(event['id'])}: ${text}`)
}

function timeOf(event: Row | undefined): number {
  return Date.parse(String(event?.['timestamp']))
}

function dueBy({ access_due_date: due }: Access, time: number): boolean {
  return typeof due === 'string' && Date.parse(due) <= time
}
