/**
 * The same create and update on Fastify, with the service's statements on SQLite in the process: a token look-up, a
 * schema, one transaction. One process on one machine; nothing is replicated.
 */
import { createHash } from 'node:crypto'
import Fastify from 'fastify'

const [databasePath = ':memory:', fixture = '{}'] = process.argv.slice(2)
const { statements, token } = JSON.parse(fixture)
const db = await openDatabase(databasePath)
const tokens = new Map([[hash(token), { store_id: 'bench' }]])

const app = Fastify()
app.addHook('onRequest', (request, reply, done) => {
  const sent = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (tokens.has(hash(sent))) done()
  else reply.code(401).send({ type: 'authentication_error' })
})

const text = (maxLength) => ({ type: 'string', minLength: 1, maxLength })
const user = {
  type: 'object',
  required: ['name', 'last_name', 'email'],
  properties: { name: text(255), last_name: text(255), email: { ...text(254), format: 'email' } },
}
const access = {
  type: 'object',
  properties: {
    status: { enum: ['with_access', 'without_access'] },
    access_due_date: { type: 'string', format: 'date-time' },
  },
}

const create = transaction(statements.create)
app.post('/create', { schema: { body: user } }, (request, reply) => {
  const now = Date.now()
  const { email } = request.body
  const ids = { store_id: 'bench', request_id: crypto.randomUUID(), email_key: email.toLowerCase() }
  return reply.code(201).send(create({ ...request.body, ...ids, now, oldest_claim: now - 86_400_000 }))
})

const update = transaction(statements.update)
app.put('/update/:id', { schema: { body: access } }, (request, reply) => {
  const { status, access_due_date } = request.body
  const ids = { store_id: 'bench', request_id: crypto.randomUUID(), id: Number(request.params.id) }
  return reply.code(201).send(update({ ...ids, now: Date.now(), status, access_due_date: Date.parse(access_due_date) }))
})

await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: app.server.address().port, driver: db.driver })
process.on('disconnect', () => process.exit())

/** better-sqlite3, or Node's own SQLite where its native part cannot be built. */
async function openDatabase(path) {
  let opened
  try {
    const { default: Database } = await import('better-sqlite3')
    opened = Object.assign(new Database(path), { driver: 'better-sqlite3' })
  } catch {
    const { DatabaseSync } = await import('node:sqlite')
    opened = Object.assign(new DatabaseSync(path), { driver: 'node:sqlite' })
  }
  opened.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
  return opened
}

/** Returns the last statement's row. */
function transaction(recorded) {
  const prepared = recorded.map(({ sql, params }) => ({ statement: db.prepare(sql), params }))
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((sql) => db.prepare(sql))
  return (values) => {
    let row
    begin.run()
    try {
      for (const { statement, params } of prepared) {
        const bound = params.map((param) => ('name' in param ? values[param.name] : param.constant))
        if (statement === prepared.at(-1).statement) row = statement.get(...bound)
        else statement.run(...bound)
      }
      commit.run()
    } catch (error) {
      rollback.run()
      throw error
    }
    return row
  }
}

function hash(value) {
  return createHash('sha256').update(value).digest('hex')
}
