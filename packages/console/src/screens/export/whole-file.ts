/** Discards a CSV file that came in part, although its connection was not cut (packages/import/whole-file.ts). */
import { endingAfter } from '../../../../import/whole-file.ts'
import type { List } from '../../api/pages.ts'

/** `list` has the newest record first. Undefined if the first page has none, as with a filter that finds few. */
export async function newestId(list: List<{ id: string }>, signal: AbortSignal): Promise<string | undefined> {
  const { data } = await list(undefined, { limit: 1, signal })
  return data[0]?.id
}

export function wholeFile(response: Response, newest: string | undefined): Response {
  if (newest === undefined || response.body === null) return response
  return new Response(response.body.pipeThrough(endingAfter(newest)), response)
}
