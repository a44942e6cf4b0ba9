/** Creates the store in which the tasks are done, through the API, so that its rows are those of the service. */
import { caller } from '../../../scripts/demo.ts'
import { DAY_MS } from '../../../src/limits.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { KNOWN, personOf } from './people.ts'

export const STORE = 'academy'
/** The maximum of a batch. */
const BATCH = 100
const CONNECTIONS = 3
/** After this many failed attempts in a row, an endpoint is down. */
const FAILURES_UNTIL_DOWN = 20

export const COURSES = {
  piano: 'Piano for beginners',
  spanish: 'Spanish A2',
  photography: 'Photography',
  algebra: 'Algebra',
  marketing: 'Digital marketing',
  nutrition: 'Nutrition',
  yoga: 'Yoga at home',
  watercolor: 'Watercolor',
} as const
const SLUGS = Object.keys(COURSES)

export type Call = (method: string, path: string, body?: object) => Promise<any>

export interface School {
  users: number
  /** The token of the operator who does the tasks. */
  token: string
  /** Calls the API below the path of the store. */
  api: Call
  shop: Receiver
}

interface Options {
  origin: string
  rootToken: string
  users: number
  /** Runs the job of every minute. */
  runJob: () => Promise<unknown>
}

export async function createSchool({ origin, rootToken, users, runJob }: Options): Promise<School> {
  const callerOf = (token: string): Call => caller((path, init) => fetch(origin + path, init), token)
  const root = callerOf(rootToken)
  const path = `/admin/stores/${STORE}`
  await root('POST', '/admin/stores', { id: STORE, name: 'Northwind Academy', language: 'ES' })
  const operator = async (name: string) => (await root('POST', '/admin/operators', { name, role: 'admin' })).token
  const [token, marta] = [await operator('Nadia Prieto'), callerOf(await operator('Marta Vidal'))]
  await root('PUT', `${path}/custom_fields/company`, { label: 'Company' })
  for (const [slug, name] of Object.entries(COURSES)) {
    await root('POST', `${path}/products`, { name, slug, type: 'course', expiration_days: 365 })
  }
  for (const name of ['Shop', 'CRM', 'Newsletter', 'Course player', 'Reports']) {
    await root('POST', `${path}/tokens`, { name, scopes: ['users:read', 'users:write'] })
  }
  const api: Call = (method, rest, body) => root(method, path + rest, body)
  await createUsers(api, users)
  await closeAccess((method, rest, body) => marta(method, path + rest, body))
  const shop = await breakShop(api)
  await countUntil(api, users, runJob)
  return { users, token, api, shop }
}

async function createUsers(api: Call, users: number): Promise<void> {
  const now = Date.now()
  let next = 0
  const work = async () => {
    while (next < users) {
      const from = next
      next += BATCH
      const items = Array.from({ length: Math.min(BATCH, users - from) }, (_, k) => userOf(from + k, users, now))
      const { results } = await api('POST', '/users/batch', { items })
      const other = results.find(({ status }: { status: number }) => status !== 201)
      if (other) throw new Error(`a user was not created: ${JSON.stringify(other)}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

/** Each user has an access: one in five has ended, one in seven has no limit, and the others end within a year. */
function userOf(i: number, users: number, now: number) {
  const person = personOf(i, users)
  const days = i % 5 === 0 ? -1 - (i % 200) : 1 + (i % 365)
  const access_due_date = i % 7 === 3 ? null : new Date(now + days * DAY_MS).toISOString()
  const isKnown = Object.values(KNOWN).some(({ email }) => email === person.email)
  const slug = isKnown ? 'photography' : SLUGS[i % SLUGS.length]
  return { ...person, product_accesses: [{ slug, access_due_date }] }
}

/** One access was closed by a colleague. */
async function closeAccess(marta: Call): Promise<void> {
  const [user] = (await marta('GET', `/users?email=${KNOWN.closed.email}`)).data
  const [access] = (await marta('GET', `/product_accesses?user_id=${user.id}`)).data
  await marta('PUT', `/product_accesses/${access.id}`, { status: 'without_access' })
}

/** The endpoint of the shop fails until it is down. */
async function breakShop(api: Call): Promise<Receiver> {
  const shop = await startReceiver()
  shop.status = 503
  const { id } = await api('POST', '/webhook_endpoints', { url: shop.url, types: ['user.created'] })
  const items = Array.from({ length: FAILURES_UNTIL_DOWN + 5 }, (_, i) => ({
    name: 'Guest',
    last_name: `Number ${i}`,
    email: `guest${i}@example.net`,
  }))
  await api('POST', '/users/batch', { items })
  while ((await api('GET', `/webhook_endpoints/${id}`)).state !== 'down') await pause()
  return shop
}

async function countUntil(api: Call, users: number, runJob: () => Promise<unknown>): Promise<void> {
  while ((await api('GET', '/stats?days=1')).totals.accesses < users) {
    await runJob()
    await pause()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 500)
  })
}
