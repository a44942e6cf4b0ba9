/** The store operations of v1 are there for operators, too: one set of tests, two kinds of callers. */
import { env } from 'cloudflare:workers'
import { type Answer, call, type CallOptions, type TestStore, WITHOUT_QUOTA } from './api.ts'

export interface Caller {
  mount: '/v1/stores' | '/admin/stores'
  /** Calls a path of the store, such as `/events?limit=2`. */
  send: (method: string, store: TestStore, path: string, options?: CallOptions) => Promise<Answer>
}

export const INTEGRATOR: Caller = {
  mount: '/v1/stores',
  send: (method, store, path, options = {}) =>
    call(method, `/v1/stores/${store.id}${path}`, { token: store.token, ...options }),
}

export const OPERATOR: Caller = {
  mount: '/admin/stores',
  send: (method, store, path, { bindings, ...options } = {}) =>
    call(method, `/admin/stores/${store.id}${path}`, {
      token: env.ADMIN_TOKEN,
      bindings: { ...WITHOUT_QUOTA, ...bindings },
      ...options,
    }),
}

export const CALLERS = [INTEGRATOR, OPERATOR]
