/**
 * The lines that a developer writes first, with the types that openapi-typescript makes of the OpenAPI document
 * (`npm run generate`) and a plain openapi-fetch. `npm run check:types` compiles them: it is the test that the document
 * suits generators.
 */
import createClient from 'openapi-fetch'
import type { components, paths, webhooks } from '../src/schema.ts'

type Schemas = components['schemas']

declare function handle(event: Schemas['StoreEvent']): void
declare function show(...values: (string | null | undefined)[]): void

const api = createClient<paths>()
const path = { store_id: 'shop' }

export async function follow(): Promise<void> {
  const { data: page } = await api.GET('/v1/stores/{store_id}/events', { params: { path } })
  const event = page?.data[0]
  if (!page || !event) return
  handle(event)
  page.data.forEach(handle)
  show(page.next, page.cursor)
  switch (event.type) {
    case 'user.created':
      return show(event.data.user_id)
    case 'product_access.granted':
      return show(event.data.product_access_id, event.data.user_id)
    case 'product_access.updated':
      return show(String(event.data.changes['status']?.to))
    default:
      return show(event.type)
  }
}

export function whoDidIt({ actor }: Schemas['StoreEvent']): void {
  if (actor.type === 'operator') show(actor.id, actor.name)
  if (actor.type === 'access_token') show(actor.id.toUpperCase(), actor.name)
}

export async function renew(id: string): Promise<void> {
  const { data, error } = await api.PUT('/v1/stores/{store_id}/product_accesses/{id}', {
    params: { path: { ...path, id } },
    body: { status: 'with_access', access_due_date: null },
  })
  if (error) {
    switch (error.code) {
      case 'etag_mismatch':
        return show(error.message)
      default:
        return show(error.code, error.request_id)
    }
  }
  show(data.id, data.status, data.access_due_date)
  const { grade } = data
  if (typeof grade === 'string') show(grade.trim())
}

export async function create(): Promise<void> {
  const { data, error, response } = await api.POST('/v1/stores/{store_id}/users', {
    params: { path, header: { 'X-Idempotency-Key': 'order-1001' } },
    body: { name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', custom_fields: { team: 7 } },
  })
  if (error?.code === 'email_taken') return show(response.headers.get('X-Existing-Id'))
  // A code of tomorrow: the list is open.
  if (error?.code === 'quota_exceeded') return show(error.message)
  show(data?.id, data?.phone)
}

export async function grantAll(): Promise<void> {
  const { data } = await api.POST('/v1/stores/{store_id}/users/batch', {
    params: { path },
    body: { items: [{ name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }], on_existing: 'skip' },
  })
  for (const { status, id, error } of data?.results ?? []) if (status >= 400) show(id, error?.code, error?.message)
}

export async function endpoints(): Promise<void> {
  const { data } = await api.GET('/v1/stores/{store_id}/webhook_endpoints', { params: { path } })
  show(...(data?.data[0]?.types ?? []))
}

/** The first request that an endpoint receives, and another one. */
type Received<Type extends keyof webhooks> = webhooks[Type]['post']['requestBody']['content']['application/json']

export function receive(body: Received<'webhook_endpoint.test'> | Received<'user.created'>): void {
  if (body.type === 'webhook_endpoint.test') return show(body.data.webhook_endpoint_id)
  show(body.data.user_id)
}
