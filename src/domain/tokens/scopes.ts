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

export const ROLES = ['viewer', 'admin'] as const

export type Role = (typeof ROLES)[number]
