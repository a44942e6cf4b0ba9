/**
 * The same create and update on Fastify, with the floor's statements on SQLite in the process: it checks the token and
 * a schema and runs one transaction. It is one process on one machine, and nothing is replicated.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import { createStatements, updateStatements } from '../workers/floor-sql.ts'

const [databasePath = ':memory:', tokenKey = ''] = process.argv.slice(2)
const db = new DatabaseSync(databasePath)
db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')

const TOKEN = /^Bearer ((rgs_(\d+)_(\d+)_([\w-]{43}))([\w-]{43}))$/

const app = Fastify()
app.decorateRequest('requestContext', null)
app.addHook('onRequest', (request, reply, done) => {
  const [, , text = '', store, number, bits = '', mac] = TOKEN.exec(request.headers.authorization ?? '') ?? []
  if (mac !== createHmac('sha256', tokenKey).update(`token:${text}`).digest('base64url')) {
    reply.code(401).send({ type: 'authentication_error' })
    return
  }
  request.requestContext = {
    store: Number(store),
    slug: request.params.store_id,
    caller: Number(store) * 2 ** 32 + Number(number),
    hash: createHash('sha256').update(bits).digest('hex'),
    request_id: randomUUID(),
    now: Date.now(),
  }
  done()
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

app.post('/v1/stores/:store_id/users', { schema: { body: user } }, ({ requestContext, body }, reply) =>
  respond(reply, createStatements(requestContext, body)),
)

app.put(
  '/v1/stores/:store_id/product_accesses/:id',
  { schema: { body: access } },
  ({ requestContext, body, params }, reply) => {
    const { status = null, access_due_date: due } = body
    const access_due_date = due === undefined ? null : Date.parse(due)
    return respond(reply, updateStatements(requestContext, { id: Number(params.id), status, access_due_date }))
  },
)

await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: app.server.address().port })
process.on('disconnect', () => process.exit())

/** Runs the statements in one transaction and responds with the row of the last but one, as the floor does. */
function respond(reply, statements) {
  let row
  prepare('begin immediate').run()
  try {
    for (const [i, { sql, params }] of statements.entries()) {
      if (i === statements.length - 2) row = prepare(sql).get(...params)
      else prepare(sql).run(...params)
    }
    prepare('commit').run()
  } catch (error) {
    prepare('rollback').run()
    throw error
  }
  if (row === undefined) return reply.code(401).send({ type: 'authentication_error' })
  return reply.code(201).send(row)
}

function prepare(sql) {
  prepare.known ??= new Map()
  let statement = prepare.known.get(sql)
  if (!statement) prepare.known.set(sql, (statement = db.prepare(sql)))
  return statement
}
