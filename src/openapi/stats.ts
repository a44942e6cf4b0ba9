import type { toStats } from '../admin/stats.ts'
import { flag, integer, list, resource } from './fields.ts'
import { describeOperations, response } from './operation.ts'

type Stats = ReturnType<typeof toStats>

const day = resource<Stats['days'][number]>('StatsOfDay', 'The counts of one day.', {
  day: { schema: { type: 'string', format: 'date', description: 'The day, in UTC.' }, example: '2026-11-21' },
  users_created: integer('How many users were created.', 12),
  accesses_granted: integer('How many accesses were granted.', 9),
  accesses_updated: integer('How often the status or the due date of an access was changed.', 4),
  accesses_expired: integer('How many accesses have reached their due date.', 1),
})

const stats = resource<Stats>('Stats', 'What happened in a store, day by day.', {
  days: list(day, 'The days, oldest first. The last one is today.'),
  complete: flag(
    'False if older events are no longer kept, or if there were too many events to count in one request.',
    true,
  ),
})

export const statistics = describeOperations('Stores', {
  getStats: {
    route: 'GET /admin/stores/{store_id}/stats',
    summary: 'Count what happened in a store, day by day',
    description: 'Counted from the events of the last days, including today.',
    query: { days: 'How many days.' },
    responses: { 200: response('Stats', 'The counts.', stats) },
  },
})
