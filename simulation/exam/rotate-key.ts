/** The owner of the service rotates TOKEN_KEY: what the previous key has signed is valid while that key is set. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import { type Examiner, type Expected, requestOf, ROOT } from './examiner.ts'
import { newPerson } from './people.ts'

const OLD = 'token-key-of-the-simulation-0123456789'
const NEW = 'another-token-key-of-the-simulation-01'

export async function rotateTokenKey(exam: Examiner, random: Random): Promise<void> {
  const { world, model } = exam
  await exam.pass(1)
  const old = await newToken(exam)
  const key = exam.slug('key')
  const body = newPerson(exam, random)
  const create = { ...requestOf(ROOT, 'POST', model.slug, '/users'), body, headers: { 'X-Idempotency-Key': key } }
  const first = await exam.send('first with a key', create, { status: 201 })
  await exam.pass(1)
  Object.assign(world.secrets, { TOKEN_KEY: NEW, TOKEN_KEY_PREVIOUS: OLD })
  await use(exam, 'token of the previous key', old, { status: 200 })
  const replay: Expected = { status: 201, text: first.text, headers: { 'Idempotent-Replayed': 'true' } }
  await exam.send('replay under the previous key', create, replay)
  const fresh = await newToken(exam)
  await use(exam, 'token of the new key', fresh, { status: 200 })
  Object.assign(world.secrets, { TOKEN_KEY_PREVIOUS: undefined })
  await use(exam, 'token of a key that is no longer set', old, { status: 401, code: 'invalid_token' })
  await use(exam, 'token of the only key', fresh, { status: 200 })
  Object.assign(world.secrets, { TOKEN_KEY: 'too short' })
  await use(exam, 'token without a key', fresh, { status: 503, code: 'service_unavailable' })
  Object.assign(world.secrets, { TOKEN_KEY: OLD, TOKEN_KEY_PREVIOUS: NEW })
  await use(exam, 'token after the keys were exchanged', fresh, { status: 200 })
  Object.assign(world.secrets, { TOKEN_KEY_PREVIOUS: undefined })
  world.count('TOKEN_KEY was rotated')
}

function use(exam: Examiner, label: string, secret: string, expected: Expected) {
  return exam.send(label, contract.readToken(secret), expected)
}

async function newToken(exam: Examiner): Promise<string> {
  const request = {
    ...requestOf(ROOT, 'POST', exam.model.slug, '/tokens'),
    body: { name: 'rotated', scopes: contract.SCOPES },
  }
  const { json } = await exam.send('token', request, { status: 201 })
  return String(json['token'])
}
