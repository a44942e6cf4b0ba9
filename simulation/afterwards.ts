/** What is known at the end alone: whom an erasure took along, and what a batch without an answer may have changed. */
import { type AccessState, accessKey, type PairState, pairKey } from './client-accesses.ts'
import { type EmailState, emailKey, SOMEBODY, type UserState, userKey } from './user-states.ts'
import type { Store } from './client.ts'
import type { History } from './history.ts'

/** Completes the histories. */
export function recordAfterwards(store: Store, history: History): void {
  recordErasures(store, history)
  recordBlindUpdates(store, history)
  forgetStrangers(store, history)
}

/** Accesses go with their user, and the e-mail is free. */
function recordErasures(store: Store, history: History): void {
  for (const { user, told } of store.erasures) {
    if (told.isRefused) continue
    for (const [access, owner] of store.owners) {
      if (owner.user === user) history.record<AccessState>(accessKey(store, access), told, () => [null])
    }
    for (const product of store.products) history.record<PairState>(pairKey(store, user, product), told, () => [null])
    for (const email of store.emails.get(user) ?? []) {
      history.record<EmailState>(emailKey(store, email), told, (state) => {
        if (state === user) return [null]
        return state === SOMEBODY ? [null, state] : [state]
      })
    }
  }
}

function recordBlindUpdates(store: Store, history: History): void {
  for (const { email, told } of store.blindUpdates) {
    for (const [user, emails] of store.emails) {
      if (!emails.has(email)) continue
      history.record<UserState>(userKey(store, user), told, (state) =>
        state?.email === email ? [{ ...state, etag: null }] : [],
      )
    }
  }
  for (const { user, product, set, told } of store.blindGrants) {
    for (const [access, owner] of store.owners) {
      if (owner.user !== user || owner.product !== product) continue
      history.record<AccessState>(accessKey(store, access), told, (state) =>
        state ? [{ ...state, fields: { ...state.fields, ...set }, etag: null }] : [],
      )
    }
  }
}

/** Records that an answer named, but whose making no answer told: nothing is known of how they began. */
function forgetStrangers({ id, users, owners }: Store, { operations }: History): void {
  for (const key of operations.keys()) {
    const [kind, store, record = ''] = key.split(' ')
    if (store !== id) continue
    if ((kind === 'user' && !users.has(record)) || (kind === 'access' && !owners.has(record))) operations.delete(key)
  }
}
