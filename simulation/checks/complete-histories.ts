/**
 * Completes the histories with operations that are known only at the end of a run: which accesses and emails an erasure
 * removed, and which records a batch without a response may have changed.
 */
import { type AccessState, accessKey, type PairState, pairKey } from '../clients/accesses.ts'
import { type EmailState, emailKey, UNKNOWN_USER, type UserState, userKey } from './user-states.ts'
import type { Store } from '../clients/client.ts'
import type { History } from '../clients/history.ts'

export function completeHistories(store: Store, history: History): void {
  recordErasures(store, history)
  recordUnconfirmedUpdates(store, history)
  dropUnknownRecords(store, history)
}

/** An erasure deletes the accesses of the user and frees the email. */
function recordErasures(store: Store, history: History): void {
  for (const { user, exchange } of store.erasures) {
    if (exchange.isRejected) continue
    for (const [access, owner] of store.owners) {
      if (owner.user === user) history.record<AccessState>(accessKey(store, access), exchange, () => [null])
    }
    for (const product of store.products)
      history.record<PairState>(pairKey(store, user, product), exchange, () => [null])
    for (const email of store.emails.get(user) ?? []) {
      history.record<EmailState>(emailKey(store, email), exchange, (state) => {
        if (state === user) return [null]
        return state === UNKNOWN_USER ? [null, state] : [state]
      })
    }
  }
}

function recordUnconfirmedUpdates(store: Store, history: History): void {
  for (const { email, exchange } of store.unconfirmedUpdates) {
    for (const [user, emails] of store.emails) {
      if (!emails.has(email)) continue
      history.record<UserState>(userKey(store, user), exchange, (state) =>
        state?.email === email ? [{ ...state, etag: null }] : [],
      )
    }
  }
  for (const { user, product, set, exchange } of store.unconfirmedGrants) {
    for (const [access, owner] of store.owners) {
      if (owner.user !== user || owner.product !== product) continue
      history.record<AccessState>(accessKey(store, access), exchange, (state) =>
        state ? [{ ...state, fields: { ...state.fields, ...set }, etag: null }] : [],
      )
    }
  }
}

/**
 * A response can show a record whose creation no response reported. Its first state is unknown, so the checker would
 * report a violation that is none.
 */
function dropUnknownRecords({ id, users, owners }: Store, { operations }: History): void {
  for (const key of operations.keys()) {
    const [kind, store, record = ''] = key.split(' ')
    if (store !== id) continue
    if ((kind === 'user' && !users.has(record)) || (kind === 'access' && !owners.has(record))) operations.delete(key)
  }
}
