/** The messages of https://developers.cloudflare.com/durable-objects/observability/troubleshooting/ and of the Free plan. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/db/database.ts'
import { callEndpoint } from '../../src/db/places.ts'
import { RETRYABLE, UNAVAILABLE } from '../support/d1-errors.ts'

const OVERLOADED = [
  'Your account is generating too much load on Durable Objects. Please back off and try again later.',
  'Your account is doing too many concurrent storage operations. Please back off and try again later.',
  'Durable Object is overloaded. Too many requests queued.',
  'Durable Object is overloaded. Too much data queued.',
  'Durable Object is overloaded. Requests queued for too long.',
  'Durable Object is overloaded. Too many requests for the same object within a 10 second window.',
]

const PLAN_LIMIT = [
  "D1_ERROR: Your account has exceeded D1's free tier daily row read limit.",
  "D1_ERROR: Your account has exceeded D1's free tier daily row written limit.",
  'Exceeded allowed rows read in Durable Objects free tier.',
  'Exceeded allowed duration in Durable Objects free tier.',
  'Exceeded allowed volume of requests in Durable Objects free tier.',
]

const CONNECTION_LOST = [
  'Connection closed: this Durable Object instance is no longer active. Reconnect or retry the request.',
  'Cannot resolve Durable Object due to transient issue on remote node.',
  'Durable Object reset because its code was updated.',
]

describe('A message of the platform without marks', () => {
  it.each([
    ...OVERLOADED.map((message) => [message, 'overloaded'] as const),
    ...PLAN_LIMIT.map((message) => [message, 'plan_limit'] as const),
    ...[...CONNECTION_LOST, ...RETRYABLE].map((message) => [message, 'connection_lost'] as const),
    ...UNAVAILABLE.map(([message, code]) => [message, code.replace('d1_', '')] as const),
  ])('%s has the name %s', (message, name) => {
    expect(failureOf(new Error(message))).toBe(name)
  })

  it('says that an object runs the version before, which lacks a method of this one', async () => {
    const calling = callEndpoint(env, 1, (object) => Reflect.get(object, 'addedLater')())
    await expect(calling).rejects.toMatchObject({ failure: 'object_outdated' })
  })

  it.each(['D1_ERROR: no such table: users: SQLITE_ERROR', 'unexpected'])('%s is a defect', (message) => {
    expect(failureOf(new Error(message))).toBeUndefined()
  })
})
