/**
 * The database is restored to an earlier moment, and `after-restore` runs: nothing that a caller still knows from the lost
 * time may stand for something else. This comes last in a run, because the other checks do not know of lost events.
 */
import { restoreStatements } from '../../scripts/restore-statements.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRows } from '../rows.ts'
import type { Database } from '../world/sqlite.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { newPerson } from './people.ts'

export async function restore(exam: Examiner, database: Database, random: Random): Promise<void> {
  const { model } = exam
  await exam.pass(1)
  const body = newPerson(exam, random)
  const lost = await loseUsers(exam, database, [newPerson(exam, random), body], newPerson(exam, random))
  const run = `00000000-0000-4000-8000-${String(random.below(1e9)).padStart(12, '0')}`
  for (const sql of Object.values(restoreStatements({ run, now: exam.now }))) database.execute([{ sql, params: [] }])
  const read = (path: string) => requestOf(ROOT, 'GET', model.slug, path)
  await exam.send('lost user', read(`/users/${lost}`), { status: 404 })
  const next = await create(exam, 'user after the restore', body)
  if (Number(next) <= Number(lost)) exam.violate(`the id ${next} was used again after a restore`)
  const feed = await exam.send('feed after the restore', read(`/events?after=${lost}`), { status: 200 })
  const types = toRows(feed.json['data']).map(({ type }) => String(type))
  if (types.join() !== 'store.restored,user.created') exam.violate(`after a restore the feed shows ${types.join()}`)
  // The cursors of the endpoints were restored with the events: what has happened since is sent.
  await exam.pass(5000)
  if (sentTimes(exam, next) === 0) exam.violate('an event after a restore was not delivered')
  // Once the events from before the gap are purged, a cursor in the gap has missed nothing that is not kept.
  const oldest = toRows(feed.json['data'])[0]?.['id']
  const number = database.execute([{ sql: 'select id >> 32 from stores where slug = ?1', params: [model.slug] }])[0]
    ?.rows[0]?.[0]
  const params = [Number(number), Number(oldest)]
  const sql = 'delete from events where id > ?1 << 32 and id < (?1 << 32) + ?2'
  database.execute([{ sql, params }])
  await exam.send('feed after the purge', read(`/events?after=${lost}`), { status: 200 })
  exam.world.count('a restore')
}

/**
 * Creates two users, restores the database to before them, and creates another user before `after-restore` can run, as
 * objects that cannot be stopped may do. That one has the id of the first, and yet its event is delivered. Returns the id of the second.
 */
async function loseUsers(exam: Examiner, database: Database, users: [Row, Row], other: Row): Promise<string> {
  const saved = database.save()
  const first = await create(exam, 'first user who is lost', users[0])
  const lost = await create(exam, 'user who is lost', users[1])
  // By then, the object of the endpoint has reported that it has sent both.
  await exam.pass(5000)
  database.load(saved)
  const before = sentTimes(exam, first)
  const again = await create(exam, 'user before after-restore', other)
  if (again !== first) exam.violate(`after a restore, the first id is ${again}, not ${first}`)
  await exam.pass(5000)
  if (sentTimes(exam, first) === before) exam.violate('an event before after-restore was not delivered')
  return lost
}

async function create(exam: Examiner, label: string, body: Row): Promise<string> {
  const request = { ...requestOf(ROOT, 'POST', exam.model.slug, '/users'), body }
  return String((await exam.send(label, request, { status: 201 })).json['id'])
}

/** How often the event was sent to the endpoint that asks for users. */
function sentTimes({ model, world }: Examiner, event: string): number {
  return world.sent.get(`https://hooks.example.com/${model.slug} ${event}`) ?? 0
}
