import { inspectRoutes } from 'hono/dev'
import { app } from '../../src/app.ts'
import { admin } from './api.ts'

export interface Operator {
  id: string
  name: string
  token: string
}

export async function newOperator(
  role: 'viewer' | 'office' | 'admin',
  fields: { email?: string; stores?: string[] } = {},
): Promise<Operator> {
  const { json } = await admin('POST', '/operators', { name: `Operator ${crypto.randomUUID()}`, role, ...fields })
  return json
}

/** All operations under /admin, such as `POST /admin/stores/:store_id/tokens`, are here, including those of v1. */
export const OPERATIONS = [
  ...new Set(
    inspectRoutes(app)
      .filter(({ path, method, isMiddleware }) => path.startsWith('/admin/') && method !== 'ALL' && !isMiddleware)
      .map(({ path, method }) => `${method} ${path}`),
  ),
]
