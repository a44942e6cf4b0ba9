import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import type { User } from '../db/schema.ts'
import { type Claim, fingerprint, type Operation } from '../domain/idempotency-keys.ts'
import { hashPassword } from '../domain/passwords.ts'
import { readReplay, writeReplay } from '../domain/replays.ts'
import { createUser, type NewUser } from '../domain/users.ts'
import { announce } from './announce.ts'
import { asWritten } from './as-written.ts'
import { causeOf } from './cause.ts'

interface CreateUser {
  operation: Operation
  user: NewUser
  password: string | undefined
  /** The version's serializer. */
  toJson: (row: User) => object
}

/** Creates the user, or answers again what the same key and request were answered: the whole of both creates. */
export async function answerCreateUser(c: Context<AppEnv>, input: CreateUser): Promise<Response> {
  const idempotencyKey = c.get('idempotencyKey')
  const principal = c.get('principal')
  const token = c.get('token')
  const claim: Claim | undefined =
    idempotencyKey === undefined
      ? undefined
      : {
          token_id: principal.token_id,
          operation: input.operation,
          key: idempotencyKey,
          fingerprint: fingerprint(token, await c.req.json()),
        }
  const { user, isReplay } = await createUser(c.get('db'), {
    store_id: principal.store_id,
    cause: causeOf(c),
    user: { ...input.user, custom_fields: await asWritten(c, 'custom_fields', input.user.custom_fields) },
    password_hash: input.password === undefined ? null : await hashPassword(input.password, c.env),
    claim,
  })

  const replay = claim && { claim, token, user_id: user.id }
  const remembered = replay && isReplay ? await readReplay(c.env.REPLAYS, replay) : undefined
  const response = remembered ?? JSON.stringify(input.toJson(user))
  if (isReplay) {
    c.header('Idempotent-Replayed', 'true')
  } else {
    announce(c)
    if (replay) c.executionCtx.waitUntil(writeReplay(c.env.REPLAYS, replay, response))
  }
  return c.body(response, 201, { 'Content-Type': 'application/json' })
}
