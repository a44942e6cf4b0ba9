/** The states in the histories of users and of emails. */
import type { Store } from '../clients/client.ts'

/** The user who has the email: an id, `UNKNOWN_USER` if no response has shown the id, or null if the email is free. */
export type EmailState = string | null
export const UNKNOWN_USER = '?'

/** The fields of a user that change, and its ETag once a response has shown it. */
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
