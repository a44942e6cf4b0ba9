/** What histories of users and of e-mails go through. */
import type { Store } from './client.ts'

/** Who has the e-mail: a user's id, somebody whose id no answer has told yet, or nobody. */
export type EmailState = string | null
export const SOMEBODY = '?'

/** What changes of a user, and the ETag if an answer has shown it; null while there is no such user. */
export interface User {
  phone: string | null
  email: string
  password: string | undefined
  etag: string | null
}
export type UserState = User | null

export const userKey = (store: Store, id: string) => `user ${store.id} ${id}`
export const emailKey = (store: Store, email: string) => `email ${store.id} ${email}`

export function noteEmail({ emails }: Store, id: string, email: string): void {
  emails.set(id, (emails.get(id) ?? new Set()).add(email))
}
