/**
 * What happens in the demo academy within a month. Each act has its place in it, from 0 to 1, and a place becomes a
 * time only at the end: by the hours and weekdays on which people are busy. So the same acts happen, and the same number
 * of events is written, on whatever day a newcomer starts.
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

/** Who does what in the academy, and the ids of its products. */
interface Academy {
  month: Month
  crm: Call
  player: Call
  office: Call
  products: string[]
}

type Call = ReturnType<typeof caller>
/** When it happens, and what: a place in the month at first, then a time. */
export type Act = [at: number, act: () => Promise<unknown>]

/** The academy's first day, and what is going to happen on the others. */
export async function openAcademy(send: Send, adminToken: string, month: Month): Promise<Act[]> {
  const root = caller(send, adminToken)
  await root('PUT', `${ADMIN}/custom_fields/plan`, { label: 'Plan' })
  const invite = async (path: string, body: object) => {
    const made = await root('POST', path, body)
    return { id: textOf(made, 'id'), call: caller(send, textOf(made, 'token')) }
  }
  const tokens = `${ADMIN}/tokens`
  const crm = await invite(tokens, { name: 'CRM', scopes: ['users:read', 'users:write', 'product_accesses:write'] })
  const player = await invite(tokens, { name: 'Course player', scopes: ['product_accesses:write'] })
  const website = await invite(tokens, { name: 'Former website', scopes: ['users:write'] })
  const office = await invite('/admin/operators', { name: 'Course office', role: 'admin' })
  await invite('/admin/operators', { name: 'Support desk', role: 'viewer' })
  const products = [firstIdIn(await root('GET', `${ADMIN}/products`))]
  for (const product of PRODUCTS) products.push(textOf(await root('POST', `${ADMIN}/products`, product), 'id'))

  const academy = { month, crm: crm.call, player: player.call, office: office.call, products }
  const endpoint = { url: 'http://127.0.0.1:9100/registrar', types: ['user.created', 'product_access.granted'] }
  const acts: Act[] = [
    [0.08, () => root('POST', `${ADMIN}/webhook_endpoints`, endpoint)],
    [0.3, () => root('DELETE', `${tokens}/${website.id}`)],
    [0.42, () => office.call('PATCH', `${ADMIN}/products/${products[4]}`, { name: 'Alumni community' })],
    ...PEOPLE.flatMap((_, i) => lifeOf(i, academy)),
  ]
  return acts.filter(([place]) => place < 0.99).map(([place, act]) => [timeOf(place, month), act])
}

/** Those who asked to be erased, and when. */
const LEAVERS = new Map([
  [7, 0.55],
  [19, 0.83],
])

function lifeOf(i: number, academy: Academy): Act[] {
  const { crm, office, products } = academy
  const person = PEOPLE[i]
  const joins = 0.01 + (0.93 * i) / PEOPLE.length + (0.03 * ((i * 37) % 11)) / 11
  let id = ''
  const change = (fields: object) => () => crm('PATCH', `${V1}/users/${id}`, fields)
  const life: Act[] = [[joins, async () => (id = textOf(await crm('POST', `${V1}/users`, person), 'id'))]]
  for (let k = 0; k <= (i * 7) % 3; k++) {
    const grant = () => ({ user_id: id, product_id: products[(i + 2 * k) % products.length] })
    life.push(...accessOf(academy, { n: 3 * i + k, begins: joins + 0.0004 + 0.11 * k, grant }))
  }
  if (i % 9 === 4) life.push([joins + 0.2, change({ custom_fields: { ...person?.custom_fields, plan: 'premium' } })])
  if (i % 8 === 2) life.push([joins + 0.13, change({ phone: `+1 202 555 01${50 + i}` })])
  const leaves = LEAVERS.get(i)
  if (leaves === undefined) return life
  return [...life.filter(([place]) => place < leaves), [leaves, () => office('DELETE', `${ADMIN}/users/${id}`)]]
}

interface Course {
  /** Decides what becomes of it. */
  n: number
  begins: number
  grant: () => object
}

/** An access from its grant on: most are used, some are closed, moved or left to end. */
function accessOf({ month, crm, player, office }: Academy, { n, begins, grant }: Course): Act[] {
  let id = ''
  const ends = n % 5 === 4 ? { access_due_date: endOf(n, begins, month) } : {}
  const open = async () => {
    const body = { ...grant(), ...ends }
    const byOffice = n % 4 === 0
    const [call, store] = byOffice ? [office, ADMIN] : [crm, V1]
    id = textOf(await call('POST', `${store}/product_accesses`, body), 'id')
  }
  const at = (after: number, act: Act[1]): Act => [begins + after, act]
  const change = (fields: object) => () => office('PUT', `${ADMIN}/product_accesses/${id}`, fields)
  const record = (fields: object) => () => player('PATCH', `${V1}/product_accesses/${id}`, fields)
  const start = () => record({ progress: 5, started_at: rightNow() })()
  const certificate_url = `https://academy.example.com/certificates/${1000 + n}`
  const complete = () =>
    record({ progress: 100, completed_at: rightNow(), passed: true, grade: 7 + (n % 3), certificate_url })()
  const prolong = change({ access_due_date: dayOf(month.now + (90 + n) * DAY_MS) })

  const life = [at(0, open)]
  if (n % 10 !== 0) life.push(at(0.006, start), at(0.05, record({ progress: 10 + ((n * 13) % 30) })))
  if (n % 3 === 0)
    life.push(at(0.09, record({ progress: 45 + (n % 20) })), at(0.16, record({ progress: 70 + (n % 15) })))
  if (n % 6 === 1) life.push(at(0.08, record({ progress: 60 })), at(0.19, complete))
  if (n % 10 === 7) life.push(at(0.1, change({ status: 'without_access' })))
  if (n % 20 === 7) life.push(at(0.22, change({ status: 'with_access' })))
  if (n % 5 === 3) life.push(at(0.12, prolong))
  if (n % 15 === 4) life.push(at(0.3, prolong))
  if (n % 10 === 1) life.push(at(0.14, change({ access_due_date: null })))
  return life
}

/** A midnight that has passed, or one of the next days: not the coming one, lest a start sees it come. */
function endOf(n: number, begins: number, month: Month): string {
  const ends = begins + 0.16 + 0.01 * (n % 7)
  return dayOf(ends < 0.9 ? timeOf(ends, month) + DAY_MS : month.now + (2 + (n % 4)) * DAY_MS)
}

function dayOf(time: number): string {
  return new Date(time - (time % DAY_MS)).toISOString()
}

function rightNow(): string {
  return new Date(Date.now()).toISOString()
}

/** The moment up to which such a part of the month's work is done: little at night and at weekends, more each week. */
function timeOf(place: number, { begin, now }: Month): number {
  const hours = Array.from({ length: Math.floor((now - begin) / HOUR_MS) }, (_, i) => begin + i * HOUR_MS)
  const weights = hours.map((hour) => {
    const day = new Date(hour).getUTCDay()
    const isNight = hour % DAY_MS < 7 * HOUR_MS || hour % DAY_MS >= 22 * HOUR_MS
    return (0.6 + (0.8 * (hour - begin)) / (now - begin)) * (day === 0 || day === 6 ? 0.3 : 1) * (isNight ? 0.1 : 1)
  })
  let left = place * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [i, weight] of weights.entries()) {
    if (left < weight) return begin + Math.floor((i + left / weight) * HOUR_MS)
    left -= weight
  }
  return now
}
