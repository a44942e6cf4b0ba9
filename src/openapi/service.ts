import * as z from 'zod'
import { text } from './fields.ts'
import { answer, type Operation } from './operation.ts'

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
]
