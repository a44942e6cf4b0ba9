/** Operators and integrators have the same operations in a store, so one set of tests runs for both callers. */
import { env } from 'cloudflare:workers'
import type { Answer } from './openapi.ts'
import type { TestStore } from './rows.ts'
import { call, type CallOptions, WITHOUT_QUOTA } from './api.ts'

export interface Caller {
  mount: '/v1/stores' | '/admin/stores'
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
