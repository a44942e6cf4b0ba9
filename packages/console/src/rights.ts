import type { Schemas } from './api/client.ts'

/** The roles that may make each kind of change. The service rejects it from any other role, so no screen offers it. */
const ROLES_OF = {
  'users:write': ['office', 'admin', 'root'],
  'product_accesses:write': ['office', 'admin', 'root'],
  'users:erase': ['admin', 'root'],
  /** Whatever belongs to a store but not to one of its users: products, fields, tokens, webhooks and settings. */
  'stores:write': ['admin', 'root'],
  'operators:write': ['root'],
} as const satisfies Record<string, Schemas['CallingOperator']['role'][]>

export type Right = keyof typeof ROLES_OF

export function may(role: string | undefined, right: Right): boolean {
  return ROLES_OF[right].some((allowed) => allowed === role)
}
