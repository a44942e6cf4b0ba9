/**
 * The database is restored to an earlier moment, and `after-restore` runs: nothing that a caller still knows from the lost
 * time may stand for something else. This comes last in a run, because the other checks do not know of lost events.
 */
import { restoreStatements } from '../../scripts/restore-statements.ts'
import type { Random } from '../world/random.ts'
import { toRows } from '../rows.ts'
import type { Database } from '../world/sqlite.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { newPerson } from './people.ts'

export async function restore(exam: Examiner, database: Database, random: Random): Promise<void> {
  const { model, world } = exam
  await exam.pass(1)
  const users = requestOf(ROOT, 'POST', model.slug, '/users')
  const body = newPerson(exam, random)
  const saved = database.save()
  const lost = await exam.send('user that is lost', { ...users, body }, { status: 201 })
  await exam.pass(1)
  database.load(saved)
  const run = `00000000-0000-4000-8000-${String(random.below(1e9)).padStart(12, '0')}`
  for (const sql of Object.values(restoreStatements({ run, now: exam.now }))) database.execute([{ sql, params: [] }])
  const lostId = String(lost.json['id'])
  const read = (path: string) => requestOf(ROOT, 'GET', model.slug, path)
  await exam.send('lost user', read(`/users/${lostId}`), { status: 404 })
  const again = await exam.send('user after the restore', { ...users, body }, { status: 201 })
  if (Number(again.json['id']) <= Number(lostId))
    exam.violate(`the id ${String(again.json['id'])} was used again after a restore`)
  const feed = await exam.send('feed after the restore', read(`/events?after=${lostId}`), { status: 200 })
  const types = toRows(feed.json['data']).map(({ type }) => String(type))
  if (types.join() !== 'store.restored,user.created') exam.violate(`after a restore the feed shows ${types.join()}`)
  // The cursors of the endpoints were restored with the events: what has happened since is sent.
  await exam.pass(5000)
  if (!world.sent.has(`https://hooks.example.com/${model.slug} ${String(again.json['id'])}`))
    exam.violate('an event after a restore was not delivered')
  // Once the events from before the gap are purged, a cursor in the gap has missed nothing that is not kept.
  const oldest = toRows(feed.json['data'])[0]?.['id']
  const number = database.execute([{ sql: 'select id >> 32 from stores where slug = ?1', params: [model.slug] }])[0]
    ?.rows[0]?.[0]
  const params = [Number(number), Number(oldest)]
  const sql = 'delete from events where id > ?1 << 32 and id < (?1 << 32) + ?2'
  database.execute([{ sql, params }])
  await exam.send('feed after the purge', read(`/events?after=${lostId}`), { status: 200 })
  world.count('a restore')
}
