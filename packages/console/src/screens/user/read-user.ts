import { api, withEtag } from '../../api/client.ts'
import type { User } from '../users/draft.ts'

/** A user with the ETag of the state that is shown, for `If-Match`. */
export interface UserWithEtag {
  body: User
  etag: string
}

export function readUser(store: string, id: string): Promise<UserWithEtag> {
  return withEtag(api.GET('/admin/stores/{store_id}/users/{id}', { params: { path: { store_id: store, id } } }))
}
