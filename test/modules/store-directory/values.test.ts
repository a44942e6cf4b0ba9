/**
 * Nothing of a user of a store in a jurisdiction is sent to the shared database, not even as a value of a statement that
 * changes nothing there, whoever sends the request.
 */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, newEmail, v1User, WITHOUT_QUOTA } from '../../support/api.ts'
import { newOperator } from '../../support/operators.ts'
import { newOwnStore } from '../../support/places.ts'
import type { TestStore } from '../../support/rows.ts'

const MARKER = 'zebulon'
const PHONE = '+34 600 739 173'

/** What names a person, and the beginning of a password's hash: none of it occurs in the digits of a hash by chance. */
const PERSONAL = [MARKER, '739 173', '739173', '$argon2', 'correct horse']

let store: TestStore
const callers = { root: env.ADMIN_TOKEN ?? '', operator: '', token: '' }

beforeAll(async () => {
  store = await newOwnStore({ jurisdiction: 'eu' })
  callers.operator = (await newOperator('admin', { stores: [store.id] })).token
  callers.token = store.token
})

/** The shared database, and the values that are bound to statements in it. */
function recordedD1() {
  const values: string[] = []
  const prepare = (text: string) => {
    values.push(text)
    const bind = (...bound: unknown[]) => {
      values.push(...bound.map(String))
      return env.DB.prepare(text).bind(...bound)
    }
    return { bind }
  }
  return { values, DB: { prepare, batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements) } }
}

function user() {
  return v1User({
    name: MARKER,
    last_name: MARKER,
    email: `${MARKER}-${newEmail()}`,
    phone: PHONE,
    external_id: MARKER,
    avatar: `https://example.com/${MARKER}`,
    password: `correct horse ${MARKER}`,
  })
}

describe.each(['root', 'operator', 'token'] as const)('The requests of the %s for a store in the EU', (caller) => {
  it('send the shared database nothing of a user', async () => {
    const { DB, values } = recordedD1()
    const mount = caller === 'token' ? '/v1' : '/admin'
    const send = async (method: string, path: string, body?: object, status = 200) => {
      const options = { token: callers[caller], bindings: { ...WITHOUT_QUOTA, DB, STORES: env.STORES } }
      const headers = { 'X-Idempotency-Key': `${MARKER}-${path}` }
      const answer = await call(method, `${mount}/stores/${store.id}${path}`, { ...options, headers, body })
      expect([path, answer.status]).toEqual([path, status])
      return answer
    }
    const { email, ...fields } = user()
    const password = `correct horse ${MARKER}`
    const { json } = await send('POST', '/users', { ...fields, email }, 201)
    await send('PATCH', `/users/${json.id}`, { ...user(), custom_fields: null })
    for (const dry_run of [true, false]) {
      await send('POST', '/users/batch', {
        items: [{ ...user(), password: undefined }],
        dry_run,
        on_existing: 'update',
      })
    }
    const phone = encodeURIComponent(PHONE)
    for (const query of [`q=${MARKER}`, `q=${phone}`, `email=${email}`, `external_id=${MARKER}`]) {
      await send('GET', `/users?${query}`)
    }
    await send('POST', '/users/verify_password', { email, password })
    await send('GET', `/users/${json.id}`)
    if (caller !== 'token') {
      await send('GET', '/users.csv?spreadsheet=true')
      await send('GET', `/users.csv?q=${MARKER}`)
      await send('GET', '/product_accesses.csv')
    }
    await send('DELETE', `/users/${json.id}`, undefined, 204)
    const personal = values.filter((value) => PERSONAL.some((part) => value.includes(part)))
    expect(personal).toEqual([])
    // An operator is looked up there, and a token needs nothing of it.
    expect(values.includes(store.id)).toBe(caller !== 'token')
  })
})
