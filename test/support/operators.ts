/** Operators with tokens of their own, and what they may do. */
import { inspectRoutes } from 'hono/dev'
import { app } from '../../src/app.ts'
import { admin } from './api.ts'

export interface Operator {
  id: string
  name: string
  token: string
}

export async function newOperator(role: 'viewer' | 'admin'): Promise<Operator> {
  const { json } = await admin('POST', '/operators', { name: `Operator ${crypto.randomUUID()}`, role })
  return json
}

/** What an operator may do, as `POST /admin/stores/:store_id/tokens`; also what v1 shares. */
export const OPERATIONS = [
  ...new Set(
    inspectRoutes(app)
      .filter(({ path, method, isMiddleware }) => path.startsWith('/admin/') && method !== 'ALL' && !isMiddleware)
      .map(({ path, method }) => `${method} ${path}`),
  ),
]
