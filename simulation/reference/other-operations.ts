/**
 * Operations of which the reference knows only who may send them. What they do takes time (webhooks, bulk changes), is about
 * more than one store, or is a file; the examiner has scenarios for them.
 */
import type { Operation, Role } from './operation.ts'

function named(role: Role, scope: string | undefined, ...names: string[]): Record<string, Operation> {
  return Object.fromEntries(names.map((name) => [name, { role, ...(scope !== undefined && { scope }) }]))
}

export const OTHER_OPERATIONS: Record<string, Operation> = {
  ...named('viewer', 'events:read', 'GET /events', 'GET /users/{id}/events', 'GET /product_accesses/{id}/events'),
  ...named('office', 'product_accesses:write', 'POST /bulk_changes/{id}/cancel'),
  ...named('viewer', 'webhooks:read', 'GET /webhook_endpoints/{id}/deliveries'),
  ...named(
    'admin',
    'webhooks:write',
    'POST /webhook_endpoints/{id}/test',
    'POST /webhook_endpoints/{id}/deliveries/{event_id}/redeliver',
  ),
  ...named('viewer', undefined, 'GET /users.csv', 'GET /product_accesses.csv', 'GET /stats'),
  ...named('viewer', undefined, 'GET /admin/stores', 'GET /admin/operators', 'GET /admin/operator'),
  ...named('viewer', undefined, 'GET /admin/events', 'GET /admin/status', 'GET /health'),
  ...named('admin', undefined, 'POST /admin/stores'),
  ...named('root', undefined, 'POST /admin/operators', 'PATCH /admin/operators/{id}', 'DELETE /admin/operators/{id}'),
}
