/** What a checkout does, as an integrator writes it: package.test.ts compiles and runs it with the installed package. */
import { createRegistrar, RegistrarError } from 'registrar-client'

declare const process: { env: Record<string, string | undefined> }

const { REGISTRAR_URL: url = '', REGISTRAR_TOKEN: token, ORDER: order = '' } = process.env
const registrar = createRegistrar({ url, token })
const path = { store_id: 'demo' }
const events = '/v1/stores/{store_id}/events'
const { response: before } = await registrar.GET(events, { params: { path, query: { limit: 1 } } })

// An order is paid.
const { data: user } = await registrar.POST('/v1/stores/{store_id}/users', {
  params: { path, header: { 'X-Idempotency-Key': `user-of-${order}` } },
  body: { name: 'Katherine', last_name: 'Johnson', email: `katherine-${order}@example.com` },
})
const { data: access } = await grant(order)

// The same person buys it again.
try {
  await grant(`${order}-again`)
  throw new Error('A second access was granted.')
} catch (error) {
  if (!(error instanceof RegistrarError)) throw error
  switch (error.code) {
    case 'access_exists':
      await setAccess(error.existingId ?? '', 'with_access', '2030-01-01T00:00:00.000Z')
      break
    default:
      throw error
  }
}

// The money is returned.
await setAccess(access.id, 'without_access', null)

const query = { user_id: user.id }
for await (const each of registrar.list('/v1/stores/{store_id}/product_accesses', { params: { path, query } })) {
  console.log(each.product.slug, each.status)
}

const stop = new AbortController()
await registrar.followEvents({
  store: 'demo',
  cursor: before.headers.get('X-Newest-Id'),
  user_id: user.id,
  signal: stop.signal,
  onPage: (page) => {
    for (const event of page) {
      console.log(event.type, event.actor.type === 'access_token' ? event.actor.name : '')
      if (event.type === 'product_access.updated' && event.data.changes['status']?.to === 'without_access') stop.abort()
    }
  },
})

function grant(key: string) {
  return registrar.POST('/v1/stores/{store_id}/product_accesses', {
    params: { path, header: { 'X-Idempotency-Key': key } },
    body: { user_id: user.id, slug: 'analytical-engines' },
  })
}

function setAccess(id: string, status: 'with_access' | 'without_access', access_due_date: string | null) {
  return registrar.PUT('/v1/stores/{store_id}/product_accesses/{id}', {
    params: { path: { ...path, id } },
    body: { status, access_due_date },
  })
}
