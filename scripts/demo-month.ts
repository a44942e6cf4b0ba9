/**
 * Plans what happens in the demo academy within a month. Each action has a position from 0 to 1, which becomes a time
 * only at the end, according to busy hours and weekdays. So on any day a newcomer starts, the same actions happen and
 * the same number of events is written; otherwise the ids in the README would be wrong.
 */
import { DAY_MS, HOUR_MS } from '../src/limits.ts'
import { PEOPLE, PRODUCTS } from './demo-people.ts'
import { caller, firstIdIn, type Send, STORE, textOf } from './demo.ts'

const ADMIN = `/admin/stores/${STORE}`
const V1 = `/v1/stores/${STORE}`

export interface Month {
  begin: number
  now: number
}

/** The clients of the academy, each with its own token, and the ids of its products. */
interface Academy {
  month: Month
  crm: Call
  player: Call
  office: Call
  products: string[]
}

type Call = ReturnType<typeof caller>
/** `when` is a position in the month until `openAcademy` replaces it with a time. */
export type Action = [when: number, run: () => Promise<unknown>]

/** Creates the academy on its first day, and returns the actions of the other days. */
export async function openAcademy(send: Send, adminToken: string, month: Month): Promise<Action[]> {
  const root = caller(send, adminToken)
  await root('PUT', `${ADMIN}/custom_fields/plan`, { label: 'Plan' })
  const createCaller = async (path: string, body: object) => {
    const created = await root('POST', path, body)
    return { id: textOf(created, 'id'), call: caller(send, textOf(created, 'token')) }
  }
  const tokens = `${ADMIN}/tokens`
  const crm = await createCaller(tokens, {
    name: 'CRM',
    scopes: ['users:read', 'users:write', 'product_accesses:write'],
  })
  const player = await createCaller(tokens, { name: 'Course player', scopes: ['product_accesses:write'] })
  const website = await createCaller(tokens, { name: 'Former website', scopes: ['users:write'] })
  const office = await createCaller('/admin/operators', { name: 'Course office', role: 'admin' })
  await createCaller('/admin/operators', { name: 'Support desk', role: 'viewer' })
  const products = [firstIdIn(await root('GET', `${ADMIN}/products`))]
  for (const product of PRODUCTS) products.push(textOf(await root('POST', `${ADMIN}/products`, product), 'id'))

  const academy = { month, crm: crm.call, player: player.call, office: office.call, products }
  const endpoint = { url: 'http://127.0.0.1:9100/registrar', types: ['user.created', 'product_access.granted'] }
  const actions: Action[] = [
    [0.08, () => root('POST', `${ADMIN}/webhook_endpoints`, endpoint)],
    [0.3, () => root('DELETE', `${tokens}/${website.id}`)],
    [
      // Not a whole number of weeks before now: a notice due at that moment would come before or after it by the hour.
      0.44,
      () =>
        office.call('POST', `${ADMIN}/bulk_changes`, {
          filter: { product_id: products[1] },
          change: { extend_days: 60 },
        }),
    ],
    [0.42, () => office.call('PATCH', `${ADMIN}/products/${products[4]}`, { name: 'Alumni community' })],
    ...PEOPLE.flatMap((_, i) => userActions(i, academy)),
  ]
  return actions.filter(([position]) => position < 0.99).map(([position, run]) => [timeOf(position, month), run])
}

/** These users are erased at this position of the month. */
const ERASURES = new Map([
  [7, 0.55],
  [19, 0.83],
])

/** The idempotency key with which the CRM creates person number `i`. */
export function crmKey(i: number): string {
  return `crm-${i}`
}

function userActions(i: number, academy: Academy): Action[] {
  const { crm, office, products } = academy
  const person = PEOPLE[i]
  const created = 0.01 + (0.93 * i) / PEOPLE.length + (0.03 * ((i * 37) % 11)) / 11
  let id = ''
  const change = (fields: object) => () => crm('PATCH', `${V1}/users/${id}`, fields)
  const create = () => crm('POST', `${V1}/users`, person, { idempotencyKey: crmKey(i) })
  const actions: Action[] = [[created, async () => (id = textOf(await create(), 'id'))]]
  for (let k = 0; k <= (i * 7) % 3; k++) {
    const grant = () => ({ user_id: id, product_id: products[(i + 2 * k) % products.length] })
    actions.push(...accessActions(academy, { n: 3 * i + k, granted: created + 0.0004 + 0.11 * k, grant }))
  }
  if (i % 9 === 4)
    actions.push([created + 0.2, change({ custom_fields: { ...person?.custom_fields, plan: 'premium' } })])
  if (i % 8 === 2) actions.push([created + 0.13, change({ phone: `+1 202 555 01${50 + i}` })])
  const erased = ERASURES.get(i)
  if (erased === undefined) return actions
  return [
    ...actions.filter(([position]) => position < erased),
    [erased, () => office('DELETE', `${ADMIN}/users/${id}`)],
  ]
}

interface PlannedAccess {
  /** This number decides which actions the access has. */
  n: number
  granted: number
  grant: () => object
}

/** Most accesses get progress, and some are closed, moved or expire, so that the console shows every state. */
function accessActions({ month, crm, player, office }: Academy, { n, granted, grant }: PlannedAccess): Action[] {
  let id = ''
  const due = n % 5 === 4 ? { access_due_date: dueDateOf(n, granted, month) } : {}
  const open = async () => {
    const body = { ...grant(), ...due }
    const byOffice = n % 4 === 0
    const [call, store] = byOffice ? [office, ADMIN] : [crm, V1]
    id = textOf(await call('POST', `${store}/product_accesses`, body), 'id')
  }
  const at = (after: number, run: Action[1]): Action => [granted + after, run]
  const change = (fields: object) => () => office('PUT', `${ADMIN}/product_accesses/${id}`, fields)
  const record = (fields: object) => () => player('PATCH', `${V1}/product_accesses/${id}`, fields)
  const start = () => record({ progress: 5, started_at: rightNow() })()
  const certificate_url = `https://academy.example.com/certificates/${1000 + n}`
  const complete = () =>
    record({ progress: 100, completed_at: rightNow(), passed: true, grade: 7 + (n % 3), certificate_url })()
  const extend = change({ access_due_date: dayOf(month.now + (90 + n) * DAY_MS) })

  const actions = [at(0, open)]
  if (n % 10 !== 0) actions.push(at(0.006, start), at(0.05, record({ progress: 10 + ((n * 13) % 30) })))
  if (n % 3 === 0)
    actions.push(at(0.09, record({ progress: 45 + (n % 20) })), at(0.16, record({ progress: 70 + (n % 15) })))
  if (n % 6 === 1) actions.push(at(0.08, record({ progress: 60 })), at(0.19, complete))
  if (n % 10 === 7) actions.push(at(0.1, change({ status: 'without_access' })))
  if (n % 20 === 7) actions.push(at(0.22, change({ status: 'with_access' })))
  if (n % 5 === 3) actions.push(at(0.12, extend))
  if (n % 15 === 4) actions.push(at(0.3, extend))
  if (n % 10 === 1) actions.push(at(0.14, change({ access_due_date: null })))
  return actions
}

/** Returns a past midnight or one of the next days, but not the next one: the access could expire during a start. */
function dueDateOf(n: number, granted: number, month: Month): string {
  const end = granted + 0.16 + 0.01 * (n % 7)
  return dayOf(end < 0.9 ? timeOf(end, month) + DAY_MS : month.now + (2 + (n % 4)) * DAY_MS)
}

function dayOf(time: number): string {
  return new Date(time - (time % DAY_MS)).toISOString()
}

function rightNow(): string {
  return new Date(Date.now()).toISOString()
}

/** Returns the time of a position. Hours at night and at weekends are short, and later weeks are busier. */
function timeOf(position: number, { begin, now }: Month): number {
  const hours = Array.from({ length: Math.floor((now - begin) / HOUR_MS) }, (_, i) => begin + i * HOUR_MS)
  const weights = hours.map((hour) => {
    const day = new Date(hour).getUTCDay()
    const isNight = hour % DAY_MS < 7 * HOUR_MS || hour % DAY_MS >= 22 * HOUR_MS
    return (0.6 + (0.8 * (hour - begin)) / (now - begin)) * (day === 0 || day === 6 ? 0.3 : 1) * (isNight ? 0.1 : 1)
  })
  let left = position * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [i, weight] of weights.entries()) {
    if (left < weight) return begin + Math.floor((i + left / weight) * HOUR_MS)
    left -= weight
  }
  return now
}
