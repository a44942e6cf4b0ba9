import './browser-globals.ts'
import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { listOperatorEvents } from '../src/api/event-feed.ts'
import { fillPage } from '../src/api/pages.ts'

/** After a restore of the database, the ids continue far above those that were kept. */
const IDS = [1, 2, 3, 10_001, 10_002]

/** Answers like `GET /admin/events`. */
function answer({ url }: Request): Response {
  const query = new URL(url).searchParams
  const [after, limit, isNewestFirst] = [query.get('after'), Number(query.get('limit')), query.get('order') === 'desc']
  const rest = IDS.filter((id) => after === null || (isNewestFirst ? id < Number(after) : id > Number(after)))
  const ids = (isNewestFirst ? rest.toReversed() : rest).slice(0, limit)
  const next = ids.length < rest.length ? String(ids.at(-1)) : null
  return Response.json({ data: ids.map((id) => ({ id: String(id) })), next }, { headers: { 'X-Newest-Id': '10002' } })
}

it('reads the events of operators from the newest to the oldest, across the gap that a restore has left', async () => {
  mock.method(globalThis, 'fetch', async (request: Request) => answer(request))
  const { signal } = new AbortController()
  const ids: string[] = []
  let after: string | undefined
  do {
    const page = await fillPage(listOperatorEvents, { after, signal, size: 2 })
    ids.push(...page.data.map(({ id }) => id))
    after = page.next ?? undefined
  } while (after !== undefined)
  assert.deepEqual(ids, IDS.toReversed().map(String))
})
