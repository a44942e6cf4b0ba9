import type { TestStore } from './rows.ts'
import { OPERATOR } from './callers.ts'

/** Returns the events of a store in order, from all pages. */
export async function feedOf(store: TestStore, query: Record<string, string> = {}): Promise<any[]> {
  const events: any[] = []
  for (let after: string | null = query['after'] ?? ''; after !== null;) {
    const cursor: Record<string, string> = after === '' ? {} : { after }
    const search = new URLSearchParams({ ...query, ...cursor, limit: '100' }).toString()
    const { json } = await OPERATOR.send('GET', store, `/events?${search}`)
    events.push(...json.data)
    after = json.next
  }
  return events
}

/** Returns the events that `act` adds to the store. */
export async function recordEvents(store: TestStore, act: () => Promise<unknown>): Promise<any[]> {
  const before = await OPERATOR.send('GET', store, '/events?limit=100')
  let { next, cursor } = before.json
  while (next !== null) ({ next, cursor } = (await OPERATOR.send('GET', store, `/events?limit=100&after=${next}`)).json)
  await act()
  return feedOf(store, { after: cursor })
}
