import { listEvents } from './feed.ts'
import { Hono } from '../../http/hono.ts'
import { queryString } from '../../http/middleware/validate.ts'
import { contextOf } from '../../http/request-context.ts'
import { listEventsQuery, newestHeader, toEventPage } from './event-json.ts'

/** The events of operators. A store's events are among the operations of the store. */
export const operatorEvents = new Hono().get('/events', queryString(listEventsQuery), async (c) => {
  const page = await listEvents(c.get('db'), contextOf(c), c.req.valid('query'))
  return c.json(toEventPage(page, 'operator'), 200, newestHeader(page))
})
