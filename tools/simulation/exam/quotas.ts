/** Exceeds the rate limits, which are small meanwhile. The rejected requests must say how long to wait. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { ensureTokens, keepersOf } from './keepers.ts'
import { perform } from './perform.ts'
import { pickUser } from './users.ts'

const MINUTE_MS = 60_000
/** Those of wrangler.toml, divided as in bindings.ts. */
const QUOTAS = { token: 30, verify: 1, password: 3 }
const rejected = { status: 429, code: 'rate_limited', headers: { 'Retry-After': '60' } }

export async function exceedQuotas(exam: Examiner, random: Random): Promise<void> {
  await ensureTokens(exam)
  const { world, model } = exam
  const [caller = ROOT] = keepersOf(exam)
  const user = pickUser(exam, random)
  const nextMinute = () => world.sleepUntil((Math.floor(exam.now / MINUTE_MS) + 1) * MINUTE_MS + 1)
  /** Sends the request once more than the quota allows. */
  const exceed = async (label: string, quota: number, request: contract.ApiRequest) => {
    for (let i = 1; i <= quota; i++) await exam.send(label, request)
    const { headers } = await exam.send(`${label} beyond`, request, rejected)
    if (headers.get('RateLimit-Policy') === null) exam.violate('a 429 has no RateLimit-Policy')
  }
  world.hasSmallQuotas = true
  await nextMinute()
  await exceed('quota', QUOTAS.token, contract.readToken(caller.secret ?? ''))
  await exceedWithReplacedSecret(exam, nextMinute)
  await nextMinute()
  const password = contract.passwordOf(0)
  const email = user ? String(user.json['email']).toUpperCase() : 'nobody@example.com'
  const verify = { ...requestOf(caller, 'POST', model.slug, '/users/verify_password'), body: { email, password } }
  await exceed('quota of passwords', QUOTAS.verify, verify)
  // The quota of passwords that are set is another one, so it need not wait for the next minute.
  const path = `/users/${String(user?.json['id'])}`
  const change = { ...requestOf(caller, 'PATCH', model.slug, path), body: { password } }
  if (user) await exceed('quota of hashes', QUOTAS.password, change)
  world.hasSmallQuotas = false
  await nextMinute()
}

/** Requests are counted by secret: whoever still has a replaced one must not use up the limit of the current one. */
async function exceedWithReplacedSecret(exam: Examiner, nextMinute: () => Promise<void>): Promise<void> {
  const body = { name: 'exam of quotas', scopes: contract.SCOPES }
  const { id, token } = await perform(exam, 'token to rotate', 'POST', { path: '/tokens', body })
  const path = `/tokens/${String(id)}/rotate`
  await perform(exam, 'rotation', 'POST', { path, body: { overlap_hours: 1 } })
  await nextMinute()
  for (let i = 0; i <= QUOTAS.token; i++)
    await exam.history.send(exam.name('replaced secret'), contract.readToken(String(token)))
  await exam.send('current secret', contract.readToken(exam.model.tokens.get(String(id))?.secret ?? ''))
}
