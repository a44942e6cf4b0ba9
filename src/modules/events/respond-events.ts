import type * as z from 'zod/mini'
import type { Context } from '../../http/hono.ts'
import { examineInTurn } from '../../http/middleware/turns.ts'
import { contextOf, readerOf } from '../../http/request-context.ts'
import { type listEventsQuery, newestHeader, toEventPage } from './event-json.ts'
import { listEvents } from './feed.ts'

/** Responds with a page of the feed. With a filter, it may examine thousands of events. */
export async function respondEvents(
  c: Context,
  query: z.output<ReturnType<typeof listEventsQuery>>,
): Promise<Response> {
  const { limit: _limit, after: _after, order: _order, ...filters } = query
  const list = () => listEvents(c.get('db'), contextOf(c), query)
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
  const page = await (isFiltered ? examineInTurn(c, list) : list())
  return c.json(toEventPage(page, readerOf(c)), 200, newestHeader(page))
}
