import { Hono } from '../../http/hono.ts'
import { queryString } from '../../http/middleware/validate.ts'
import { listEventsQuery } from './event-json.ts'
import { respondEvents } from './respond-events.ts'

/** The events of operators. A store's events are among the operations of the store. */
export const operatorEvents = new Hono().get('/events', queryString(listEventsQuery), (c) => {
  return respondEvents(c, c.req.valid('query'))
})
