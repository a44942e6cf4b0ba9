import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { grantProductAccess } from '../domain/accesses/grant.ts'
import type { AccessStatus } from '../domain/accesses/product-accesses.ts'
import { respondCreate } from './respond-create.ts'
import { contextOf } from './request-context.ts'
import { accessEtag, toProductAccess } from '../wire/product-accesses.ts'

interface GrantBody {
  user_id: number
  product_id?: number | undefined
  slug?: string | undefined
  status?: AccessStatus | undefined
  access_due_date?: number | null | undefined
}

/** Grants an access. */
export function respondGrant(c: Context<AppEnv>, body: GrantBody): Promise<Response> {
  const { status = 'with_access', ...grant } = body
  return respondCreate(c, {
    operation: 'v1.product_accesses.grant',
    toJson: toProductAccess,
    toEtag: accessEtag,
    create: (key) => grantProductAccess(c.get('db'), contextOf(c), { key, status, ...grant }),
  })
}
