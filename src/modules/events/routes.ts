import { listHistory } from './histories.ts'
import { Hono } from '../../http/hono.ts'
import { queryString } from '../../http/middleware/validate.ts'
import { requireScope } from '../../http/middleware/bearer.ts'
import { contextOf, numberInPath, readerOf } from '../../http/request-context.ts'
import { listEventsQuery, toEvent } from './event-json.ts'
import { respondEvents } from './respond-events.ts'
import { listQuery, toPage } from '../../formats/pages.ts'

export const events = new Hono()
  .get('/:store_id/events', requireScope('events:read'), queryString(listEventsQuery), (c) => {
    return respondEvents(c, c.req.valid('query'))
  })
  .get('/:store_id/users/:id/events', requireScope('events:read'), queryString(listQuery), async (c) => {
    const request = { of: 'users' as const, number: numberInPath(c), ...c.req.valid('query') }
    return c.json(toPage(await listHistory(c.get('db'), contextOf(c), request), (row) => toEvent(row, readerOf(c))))
  })
  .get('/:store_id/product_accesses/:id/events', requireScope('events:read'), queryString(listQuery), async (c) => {
    const request = { of: 'product_accesses' as const, number: numberInPath(c), ...c.req.valid('query') }
    return c.json(toPage(await listHistory(c.get('db'), contextOf(c), request), (row) => toEvent(row, readerOf(c))))
  })
