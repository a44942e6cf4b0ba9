/** The schemas of events, webhook endpoints and deliveries as they are answered; see answers.ts. */
import * as z from 'zod'
import { EVENT_TYPES } from '../domain/events.ts'
import { DELIVERY_STATES } from '../domain/webhook-deliveries.ts'
import { page, scalar } from './answers.ts'

const actor = z.union([
  z.strictObject({ type: z.literal('access_token'), id: z.string(), name: z.string() }),
  z.strictObject({ type: z.enum(['operator', 'system']) }),
])

/** Strict, so that a test fails when an event tells more than its ids and what changed. */
export const event = z
  .strictObject({
    id: z.string(),
    type: z.enum(EVENT_TYPES),
    timestamp: z.iso.datetime(),
    store_id: z.string(),
    request_id: z.uuid().nullable(),
    actor,
    data: z.strictObject({
      user_id: z.string().optional(),
      product_id: z.string().optional(),
      product_access_id: z.string().optional(),
      access_token_id: z.string().optional(),
      webhook_endpoint_id: z.string().optional(),
      changes: z.record(z.string(), z.strictObject({ from: scalar, to: scalar })).optional(),
    }),
  })
  .meta({
    id: 'Event',
    example: {
      id: '12',
      type: 'product_access.updated',
      timestamp: '2026-11-21T09:30:00.000Z',
      store_id: 'demo',
      request_id: 'b36f6f66-ab6a-450a-8557-d7acb534ccf7',
      actor: { type: 'access_token', id: '1', name: 'Checkout' },
      data: {
        user_id: '1',
        product_id: '1',
        product_access_id: '1',
        changes: { access_due_date: { from: null, to: '2027-12-31T00:00:00.000Z' } },
      },
    },
  })

export const eventPage = page(event)

const webhookEndpointFields = {
  id: z.string(),
  url: z.string(),
  types: z.array(z.enum(EVENT_TYPES)).nullable().meta({ description: 'Null: all, those that are yet to come too.' }),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
  failing_since: z.iso.datetime().nullable(),
  disabled_at: z.iso.datetime().nullable(),
}

const webhookEndpointExample = {
  id: '1',
  url: 'https://crm.example.com/registrar',
  types: ['user.created', 'product_access.updated'],
  enabled: true,
  created_at: '2026-11-21T09:30:00.000Z',
  failing_since: null,
  disabled_at: null,
}

export const webhookEndpoint = z
  .strictObject(webhookEndpointFields)
  .meta({ id: 'WebhookEndpoint', example: webhookEndpointExample })

/** Where a secret is made, and nowhere else. */
export const webhookEndpointWithSecret = z.strictObject({ ...webhookEndpointFields, secret: z.string() }).meta({
  id: 'WebhookEndpointWithSecret',
  example: { ...webhookEndpointExample, secret: 'whsec_<32 bytes in base64>' },
})

export const webhookEndpointPage = page(webhookEndpoint)

export const webhookDelivery = z
  .strictObject({
    event_id: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    last_status: z.int().nullable().meta({ description: 'Null: no attempt yet, or no answer within 10 seconds.' }),
    last_attempt_at: z.iso.datetime().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'WebhookDelivery',
    example: {
      event_id: '12',
      state: 'pending',
      attempts: 2,
      last_status: 503,
      last_attempt_at: '2026-11-21T09:30:05.000Z',
      next_attempt_at: '2026-11-21T09:30:25.000Z',
    },
  })

export const webhookDeliveryPage = page(webhookDelivery)
