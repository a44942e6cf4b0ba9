/** `registrar-client` in workerd, as a Worker of an integrator uses it, against the service. */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createRegistrar, RegistrarError, type StoreEvent, verifyWebhook } from 'registrar-client'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import service from '../src/index.ts'
import { BASE, newStore, v1User } from './support/api.ts'

it('creates, replays, lists, updates and follows in a Worker, through a network that loses each first response', async () => {
  const { id, token } = await newStore()
  const path = { store_id: id }
  const seen = new Set<string>()
  const registrar = createRegistrar({
    url: BASE,
    token,
    backoffMs: 1,
    fetch: async (sent) => {
      const { url, method, headers } = sent
      const init = { method, headers, ...(method !== 'GET' && { body: await sent.text() }) }
      const request = new Request<unknown, IncomingRequestCfProperties>(url, init)
      const response = await service.fetch(request, env, createExecutionContext())
      const name = `${method} ${url}`
      if (seen.has(name)) return response
      seen.add(name)
      throw new Error('Network connection lost.')
    },
  })
  const users = '/v1/stores/{store_id}/users'
  const body = v1User()
  const { data: user, response } = await registrar.POST(users, { params: { path }, body })
  expect(response.headers.get('Idempotent-Replayed')).toBe('true')
  expect(user.email).toBe(body.email)

  const error: unknown = await registrar.POST(users, { params: { path }, body }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RegistrarError)
  expect(error).toMatchObject({ code: 'email_taken', status: 422, existingId: user.id })

  await registrar.POST(users, { params: { path }, body: v1User() })
  const listed: string[] = []
  for await (const each of registrar.list(users, { params: { path, query: { limit: 1 } } })) listed.push(each.id)
  expect(listed).toHaveLength(2)

  const events: StoreEvent[] = []
  const stop = new AbortController()
  await registrar.followEvents({
    store: id,
    type: 'user.created',
    signal: stop.signal,
    onPage: (page) => {
      events.push(...page)
      if (events.length === 2) stop.abort()
    },
  })
  expect(events.map(({ data }) => data)).toEqual(listed.map((user_id) => ({ user_id })))
})

it('verifies a webhook in a Worker', () => {
  const secret = `whsec_${btoa('a secret of thirty-two characters')}`
  const [at, body] = [new Date(), '{"id":"14","type":"user.created","data":{"user_id":"12"}}']
  const headers = new Headers({
    'webhook-id': 'demo_14',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('demo_14', at, body),
  })
  expect(verifyWebhook(body, headers, secret).id).toBe('14')
  expect(() => verifyWebhook(`${body} `, headers, secret)).toThrow('No matching signature')
})
