/** Statistics (contract, section 7): a job counts, so that they are as of a time before the request. */
import { DAY_MS } from '../../../src/limits.ts'
import { STATS } from '../../../src/modules/statistics/limits.ts'
import type { Row } from '../rows.ts'
import { integerText } from './lists.ts'
import type { Call, Operation, Outcome } from './operation.ts'
import { type Access, endOf, isInForce, iso, type State } from './state.ts'
import * as values from './values.ts'

/** How long the job may take to count an event, with a minute for its run. */
const LATE_MS = 6 * 60_000
const PRODUCTS = 20
export const COUNTED = {
  users_created: 'user.created',
  users_erased: 'user.erased',
  accesses_granted: 'product_access.granted',
  accesses_updated: 'product_access.updated',
  accesses_expired: 'product_access.expired',
}

function totalsAt(state: State, at: number): Row {
  const accesses = [...state.accesses.values()]
  const inForce = accesses.filter((access) => isInForce(access, at))
  const products = [...state.products.values()].map(({ id, name }) => {
    const count = (list: Access[]) => list.filter(({ product }) => product === id).length
    return { id, name, accesses: count(accesses), in_force: count(inForce) }
  })
  return {
    totals: {
      users: state.users.size,
      accesses: accesses.length,
      in_force: inForce.length,
      ending_in_7_days: inForce.filter(({ json }) => endOf(json) <= at + 7 * DAY_MS).length,
    },
    products: products.toSorted((a, b) => b.accesses - a.accesses || Number(a.id) - Number(b.id)).slice(0, PRODUCTS),
  }
}

/** An event counts on its own day. Those from before `counted` must have been counted, and others may have been. */
function daysOf({ feed }: State, { query, now, drawn }: Call, counted: number): Row[] {
  const days = Number(query['days'] ?? STATS.defaultDays)
  return Array.from({ length: days }, (_, i) => {
    const day = iso(now - (days - 1 - i) * DAY_MS).slice(0, 10)
    const shown = Object(Object(drawn.json['days'])[i])
    const counts = Object.entries(COUNTED).map(([name, type]) => {
      const events = feed.filter((event) => event['type'] === type && String(event['timestamp']).startsWith(day))
      const least = events.filter(({ timestamp }) => Date.parse(String(timestamp)) < counted).length
      return [name, shown[name] >= least && shown[name] <= events.length ? shown[name] : events.length]
    })
    return { day, ...Object.fromEntries(counts) }
  })
}

/** The totals are known if nothing has happened since they were counted. */
function read(state: State, call: Call): Outcome {
  const asOf = Date.parse(String(call.drawn.json['as_of']))
  const newest = Date.parse(String(state.feed.at(-1)?.['timestamp']))
  const days = daysOf(state, call, Math.max(asOf, call.now - LATE_MS))
  return { status: 200, body: { ...(asOf > newest && totalsAt(state, asOf)), days } }
}

export const STATISTICS_OPERATIONS: Record<string, Operation> = {
  'GET /stats': { role: 'viewer', query: { days: values.ifSent(integerText(1, STATS.maxDays)) }, perform: read },
}
