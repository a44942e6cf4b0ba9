export const SCOPES = [
  'users:read',
  'users:write',
  'users:erase',
  'passwords:verify',
  'product_accesses:read',
  'product_accesses:write',
  'products:read',
  'events:read',
  'webhooks:read',
  'webhooks:write',
] as const

export type Scope = (typeof SCOPES)[number]

/** The scopes of a token that is created without any: what the operations of the specification require. */
export const DEFAULT_SCOPES = ['users:write', 'product_accesses:write'] as const satisfies Scope[]

/** Of operators. Each may do what those before it may. */
export const ROLES = ['viewer', 'office', 'admin'] as const

export type Role = (typeof ROLES)[number]

/** What `office` may change: the operations that require one of these scopes of a token. */
export const OFFICE_SCOPES: readonly Scope[] = ['users:write', 'product_accesses:write']
