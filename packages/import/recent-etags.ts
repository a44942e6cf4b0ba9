/**
 * The ETags of people whom an earlier row of the same file has created, and a later one has changed: they no longer have
 * that of their creation. If somebody else has changed one of them since, there is none.
 */
import { isObject } from '../../src/lib/json.ts'
import type { Change } from './changes.ts'
import type { Client } from './client.ts'
import { CUSTOM_FIELD } from './fields.ts'
import { toJson, valueIn } from './left-fields.ts'
import { type FreshUser, liveService } from './undo-service.ts'

export async function etagsOfRecent(client: Client, changes: Change[]): Promise<Record<string, string>> {
  const { readUser } = liveService(client, false)
  const etags: [string, string][] = []
  for (const change of changes) {
    if (change.isRecent !== true || change.changes.length === 0) continue
    const fresh = await readUser(change.id)
    if (fresh && isAsLeft(change, fresh)) etags.push([change.id, fresh.etag])
  }
  return Object.fromEntries(etags)
}

function isAsLeft({ before, left = [] }: Change, { valueOf }: FreshUser): boolean {
  const { custom_fields: custom, updated_at: _, ...plain } = before
  const fields = [
    ...Object.keys(plain),
    ...Object.keys(isObject(custom) ? custom : {}).map((key) => CUSTOM_FIELD + key),
  ]
  const others = fields.filter((field) => !left.some((each) => each.field === field))
  return (
    left.every(({ field, to }) => valueOf(field) === to) &&
    others.every((field) => valueOf(field) === toJson(valueIn(before, field)))
  )
}
