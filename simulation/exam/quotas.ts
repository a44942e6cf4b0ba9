/** Exceeds the rate limits, which are small meanwhile. The rejected requests must say how long to wait. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import { callerOf, type Examiner, type Expected, requestOf } from './examiner.ts'
import { ensureTokens } from './keepers.ts'
import { perform } from './perform.ts'
import { createToken, rotateToken } from './tokens.ts'
import { pickUser } from './users.ts'

const MINUTE_MS = 60_000
/** Those of wrangler.toml, divided as in bindings.ts. */
const QUOTAS = { token: 30, verify: 1, password: 3 }

export async function exceedQuotas(exam: Examiner, random: Random): Promise<void> {
  await ensureTokens(exam)
  const { world, model } = exam
  const caller = callerOf(exam.pickToken(random))
  const user = pickUser(exam, random)
  const nextMinute = () => world.sleepUntil((Math.floor(exam.now / MINUTE_MS) + 1) * MINUTE_MS + 1)
  const rejected: Expected = { status: 429, code: 'rate_limited', headers: { 'Retry-After': '60' } }
  world.hasSmallQuotas = true
  await nextMinute()
  for (let i = 1; i <= QUOTAS.token + 1; i++) {
    const expected = i <= QUOTAS.token ? { status: 200 } : rejected
    const { headers } = await exam.send(`quota ${i}`, contract.readToken(caller.secret ?? ''), expected)
    if (i > QUOTAS.token && headers.get('RateLimit-Policy') === null) exam.violate('a 429 has no RateLimit-Policy')
  }
  await exceedWithReplacedSecret(exam, nextMinute)
  await nextMinute()
  const email = user ? String(user.json['email']) : 'nobody@example.com'
  for (let i = 1; i <= QUOTAS.verify + 1; i++) {
    const body = { email: i % 2 === 0 ? email.toUpperCase() : email, password: contract.passwordOf(0) }
    const request = { ...requestOf(caller, 'POST', model.slug, '/users/verify_password'), body }
    await exam.send(`quota of passwords ${i}`, request, i <= QUOTAS.verify ? { status: 200 } : rejected)
  }
  // The quota of passwords that are set is another one, so it need not wait for the next minute.
  for (let i = 1; i <= QUOTAS.password + 1; i++) {
    if (!user) break
    const request = {
      ...requestOf(caller, 'PATCH', model.slug, `/users/${String(user.json['id'])}`),
      body: { password: contract.passwordOf(0) },
    }
    const expected: Expected = i <= QUOTAS.password ? { status: 200 } : rejected
    const exchange = await exam.send(`quota of hashes ${i}`, request, expected)
    if (exchange.status !== 200) continue
    exam.noteEvents(exchange, caller, {
      status: 200,
      events: () => [{ type: 'user.updated', data: { user_id: user.json['id'], fields: ['password'] } }],
    })
    model.users.set(String(user.json['id']), {
      json: { ...user.json, updated_at: exchange.json['updated_at'] },
      etag: exchange.headers.get('ETag') ?? '',
      password: contract.passwordOf(0),
    })
  }
  world.hasSmallQuotas = false
  await nextMinute()
}

/** Requests are counted by secret: whoever still has a replaced one must not use up the limit of the current one. */
async function exceedWithReplacedSecret(exam: Examiner, nextMinute: () => Promise<void>): Promise<void> {
  const body = { name: 'exam of quotas', scopes: contract.SCOPES }
  const { id, token } = await perform(exam, 'token to rotate', 'POST', createToken(exam, body))
  const created = exam.model.tokens.get(String(id))
  if (!created) return
  await perform(exam, 'rotation', 'POST', rotateToken(exam, created, 1))
  const current = exam.model.tokens.get(String(id))?.secret ?? ''
  await nextMinute()
  for (let i = 0; i <= QUOTAS.token; i++)
    await exam.history.send(exam.name('replaced secret'), contract.readToken(String(token)))
  await exam.send('current secret', contract.readToken(current), { status: 200 })
}
