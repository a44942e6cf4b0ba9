import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { listEvents } from '../domain/events.ts'
import { queryString } from '../http/validate.ts'
import { listEventsQuery, toEvent } from '../wire/events.ts'
import { toPage } from '../wire/pages.ts'
import { storePath } from './store-path.ts'

export const events = new Hono<AppEnv>().get(
  '/:store_id/events',
  queryString(listEventsQuery),
  storePath,
  async (c) => {
    const found = await listEvents(c.get('db'), { store_id: c.req.param('store_id'), ...c.req.valid('query') })
    return c.json(toPage(found, toEvent))
  },
)
