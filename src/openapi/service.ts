import * as z from 'zod'
import type { toStatus } from '../admin/status.ts'
import { D1 } from '../limits.ts'
import { describes } from './describes.ts'
import { integer, text, time } from './fields.ts'
import { answer, type Operation, operatorOperation } from './operation.ts'

const status = describes<ReturnType<typeof toStatus>>()(
  z
    .object({
      version: text('The version of the service.'),
      database: z
        .object({
          bytes: integer('How large the database is, in bytes.'),
          limit_bytes: z.literal(D1.maxBytes).meta({ description: 'How large it can become, in bytes.' }),
        })
        .meta({ description: 'The database; nothing more is stored once it is full.' }),
      webhooks: z
        .object({
          pending: integer('How many deliveries wait, up to a bound.'),
          oldest_pending_at: time('When the oldest event that waits was committed; null: nothing waits.').nullable(),
          failing_endpoints: integer('How many endpoints failed when they were last tried.'),
          disabled_endpoints: integer('How many endpoints were disabled because they failed.'),
        })
        .meta({ description: 'What is on its way to webhook endpoints, of all stores.' }),
      stores: z
        .object({ total: integer('How many stores there are.'), suspended: integer('How many of them are suspended.') })
        .meta({ description: 'The stores.' }),
    })
    .meta({ id: 'Status', description: 'How the service is.' }),
)

export const service: Operation[] = [
  {
    method: 'get',
    path: '/health',
    id: 'checkHealth',
    tag: 'Service',
    summary: 'Whether the service and its database answer',
    description: 'For a monitor; needs no token. An instance asks the database once a second at most.',
    caller: 'anyone',
    answers: {
      200: answer('Health', {
        description: 'They do.',
        schema: z.object({ status: text('`ok`.') }).meta({ id: 'Health' }),
        example: { status: 'ok' },
      }),
    },
  },
  operatorOperation({
    method: 'get',
    path: '/admin/status',
    id: 'getStatus',
    tag: 'Service',
    summary: 'How the database and the webhooks are',
    description: 'What an operator watches, of all stores together.',
    answers: {
      200: answer('Status', {
        description: 'How the service is now.',
        schema: status,
        example: {
          version: '1.0.0',
          database: { bytes: 73_400_320, limit_bytes: D1.maxBytes },
          webhooks: {
            pending: 3,
            oldest_pending_at: '2026-11-21T09:30:00.000Z',
            failing_endpoints: 1,
            disabled_endpoints: 0,
          },
          stores: { total: 12, suspended: 1 },
        },
      }),
    },
  }),
]
