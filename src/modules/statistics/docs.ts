import type { toStats } from './admin-routes.ts'
import { integer, list, object, resource, text, time } from '../../openapi/fields.ts'
import { describeOperations, response } from '../../openapi/operation.ts'

type Stats = ReturnType<typeof toStats>

const product = resource<Stats['products'][number]>('StatsOfProduct', 'The accesses to one product.', {
  id: text('The product.', '5'),
  name: text('Its name.', 'Algebra'),
  accesses: integer('How many accesses to it there are.', 310),
  in_force: integer('How many of them are in force.', 284),
})

const day = resource<Stats['days'][number]>('StatsOfDay', 'The counts of one day.', {
  day: { schema: { type: 'string', format: 'date', description: 'The day, in UTC.' }, example: '2026-11-21' },
  users_created: integer('How many users were created.', 12),
  users_erased: integer('How many users were erased.', 1),
  accesses_granted: integer('How many accesses were granted.', 9),
  accesses_updated: integer('How often the status or the due date of an access was changed.', 4),
  accesses_expired: integer('How many accesses have reached their due date.', 1),
})

const stats = resource<Stats>('Stats', 'The numbers of a store.', {
  totals: object<Stats['totals']>(
    {
      users: integer('How many users there are.', 412),
      accesses: integer('How many accesses there are.', 655),
      in_force: integer('How many of them are in force.', 598),
      ending_in_7_days: integer('How many of those end within seven days.', 17),
    },
    'The store as it is.',
  ),
  products: list(product, 'The 20 products with the most accesses.'),
  days: list(day, 'What happened day by day, oldest first. The last one is today.'),
  as_of: time(
    'When the service last found the numbers true: normally at most five minutes ago.',
    '2026-11-21T09:30:00.000Z',
  ),
})

export const statistics = describeOperations('Stores', {
  getStats: {
    route: 'GET /admin/stores/{store_id}/stats',
    summary: 'Read the totals of a store and what happened day by day',
    description:
      'A job looks every minute for stores that have changed and counts them, and this reads what it has counted, so that a large store costs no more than a small one. A store that takes long to count is counted less often. Of changes made during a count, any may be in it. The counts of days outlive the events.',
    query: { days: 'How many days.' },
    responses: { 200: response('Stats', 'The numbers.', stats) },
  },
})
