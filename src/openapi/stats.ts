import * as z from 'zod'
import { statsQuery, type toStats } from '../admin/stats.ts'
import { describes } from './describes.ts'
import { flag, integer } from './fields.ts'
import { answer, type Operation, operatorOperation } from './operation.ts'
import { queryOf } from './requests.ts'

const stats = describes<ReturnType<typeof toStats>>()(
  z
    .object({
      days: z
        .array(
          z
            .object({
              day: z.string().meta({ format: 'date', description: 'The day, in UTC.' }),
              users_created: integer('How many users were created.'),
              accesses_granted: integer('How many accesses were granted.'),
              accesses_updated: integer('How often the status or the due date of an access was changed.'),
              accesses_expired: integer('How many accesses came to the end of their due date.'),
            })
            .meta({ id: 'StatsOfDay' }),
        )
        .meta({ description: 'Each day, the oldest first and today last.' }),
      complete: flag('False where the history that is kept ends earlier, or was too long to count.'),
    })
    .meta({ id: 'Stats', description: 'What happened in a store, day by day.' }),
)

export const statistics: Operation[] = [
  operatorOperation({
    method: 'get',
    path: '/admin/stores/{store_id}/stats',
    id: 'getStats',
    tag: 'Stores',
    summary: 'Count what happened in a store, day by day',
    description: 'Counted from the events of the last days, today included.',
    query: queryOf('getStats', statsQuery, { days: 'How many days.' }),
    answers: {
      200: answer('Stats', {
        description: 'The counts.',
        schema: stats,
        example: {
          days: [
            { day: '2026-11-21', users_created: 12, accesses_granted: 9, accesses_updated: 4, accesses_expired: 1 },
          ],
          complete: true,
        },
      }),
    },
  }),
]
