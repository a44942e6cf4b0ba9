import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { noteUse } from '../domain/access-tokens.ts'
import { listEvents } from '../domain/events.ts'
import { queryString } from '../http/validate.ts'
import { authorize } from '../wire/authorize.ts'
import { causeOf } from '../wire/cause.ts'
import { listEventsQuery, toEvent } from '../wire/events.ts'
import { toPage } from '../wire/pages.ts'

export const events = new Hono<AppEnv>().get(
  '/:store_id/events',
  authorize('events:read'),
  queryString(listEventsQuery),
  async (c) => {
    const { store_id } = c.get('principal')
    const writes = noteUse(c.get('db'), causeOf(c))
    const found = await listEvents(c.get('db'), { store_id, writes, ...c.req.valid('query') })
    return c.json(toPage(found, toEvent))
  },
)
