/**
 * The checkouts of the guide in a store that knows the customer by email only. `npm run smoke` runs them against the
 * service; here, a server plays the users whom another program links or changes at the worst moment.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { HAS_PYTHON, saveGuidePrograms, startProgram } from './guide-programs.ts'

interface User {
  id: string
  email: string
  /** Omitted if there is none, as in the service's responses. */
  external_id?: string | undefined
}

/** To whom the programs sell. */
const PROGRAMS = [
  { name: 'checkout.ts', customer: 'customer-78', email: 'mary@example.com' },
  { name: 'checkout.py', customer: 'customer-79', email: 'annie@example.com' },
]

function readBody(body: string): Partial<User> {
  return JSON.parse(body)
}

const folder = saveGuidePrograms()

/** Runs a checkout. `beforePatch` changes the user after the program has read it. Returns the users and the requests. */
async function sell(name: string, user: User, beforePatch?: (user: User) => void) {
  const users = [user]
  const requests: string[] = []
  let version = 1
  let access: object | undefined
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const path = url.pathname.replace('/v1/stores/demo', '')
    const send = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
    }
    requests.push(`${request.method} ${path}`)
    if (request.method === 'GET' && path === '/users') {
      const found = users.filter(({ external_id }) => external_id === url.searchParams.get('external_id'))
      return send(200, { data: found, next: null })
    }
    if (request.method === 'GET') return send(200, user, { ETag: `"7-${version}"` })
    const body = readBody(await text(request))
    if (path === '/users') {
      if (body.email === user.email) return send(422, { code: 'email_taken' }, { 'X-Existing-Id': user.id })
      users.push({ id: '8', email: '', ...body })
      return send(201, { id: '8' })
    }
    if (request.method === 'PATCH') {
      beforePatch?.(user)
      if (beforePatch) version++
      beforePatch = undefined
      if (request.headers['if-match'] !== `"7-${version}"`) return send(412, { code: 'etag_mismatch' })
      return send(200, Object.assign(user, body))
    }
    if (request.method === 'PUT') return send(201, { ...access, ...body })
    if (access) return send(422, { code: 'access_exists' }, { 'X-Existing-Id': '9' })
    access = { id: '9', ...body }
    return send(201, access)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const API = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const program = startProgram(folder, name, { API, STORE: 'demo', TOKEN: 'rgs_1' })
  const status = await program.ended
  server.closeAllConnections()
  server.close()
  return { status, output: program.output(), users, requests }
}

for (const { name, customer, email } of PROGRAMS) {
  const options = { skip: name.endsWith('.py') && !HAS_PYTHON ? 'Python is not installed' : false }
  const known = (external_id?: string) => ({ id: '7', email, ...(external_id !== undefined && { external_id }) })

  await test(`${name} links the user whom the store knows by email only`, options, async () => {
    const { status, output, users, requests } = await sell(name, known())
    assert.equal(status, 0, output)
    assert.deepEqual(users, [known(customer)])
    assert.equal(requests.filter((line) => line === 'PATCH /users/7').length, 1)
    assert.equal(requests.filter((line) => line === 'POST /users').length, 1, 'the second order finds the user')
    assert.match(output, /^renewed\nwithout_access\n/)
  })

  await test(`${name} stops before the grant if the email belongs to another customer`, options, async () => {
    const { status, output, users, requests } = await sell(name, known('customer-1'))
    assert.notEqual(status, 0)
    assert.match(output, /User 7 is customer customer-1: a person must decide/)
    assert.deepEqual(users, [known('customer-1')])
    assert.ok(!requests.includes('POST /product_accesses') && !requests.includes('PATCH /users/7'))
  })

  await test(`${name} reads the user again if somebody changes it in between`, options, async () => {
    const byItself = await sell(name, known(), (user) => Object.assign(user, { external_id: customer }))
    assert.equal(byItself.status, 0, byItself.output)
    assert.deepEqual(byItself.users, [known(customer)])
    const byAnother = await sell(name, known(), (user) => Object.assign(user, { external_id: 'customer-1' }))
    assert.match(byAnother.output, /User 7 is customer customer-1: a person must decide/)
    assert.deepEqual(byAnother.users, [known('customer-1')])
  })
}
