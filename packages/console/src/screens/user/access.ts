import { api, type Schemas, withEtag } from '../../api/client.ts'

export type Access = Schemas['ProductAccess']

/** An access with the ETag of the state that is shown, for `If-Match`. */
export interface AccessWithEtag {
  body: Access
  etag: string
}

export function readAccess(store: string, id: string): Promise<AccessWithEtag> {
  return withEtag(
    api.GET('/admin/stores/{store_id}/product_accesses/{id}', { params: { path: { store_id: store, id } } }),
  )
}

export function isOver(dueDate: string | null, now: number): boolean {
  return dueDate !== null && Date.parse(dueDate) < now
}

/** A day that is chosen again ends within the same second, which nobody sees. */
export function isSameEnd(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && a.slice(0, 19) === b.slice(0, 19))
}
