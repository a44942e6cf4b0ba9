/** The tasks about access tokens. Each secret that a token ever had is tried again later. */
import * as contract from '../contract.ts'
import { iso, type Token } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow } from '../rows.ts'
import type { Examiner, Prepared } from './examiner.ts'
import { NO_ID, ofOperators, type Task, taskOf } from './task.ts'

function prepareCreate(exam: Examiner, random: Random): Prepared {
  const path = '/tokens'
  const body = { name: exam.name('token'), scopes: [random.pick(contract.SCOPES)] }
  const expires_at = iso(exam.now + random.pick([1000, 60_000, contract.DAY_MS]))
  const kind = random.weighted({ scope: 3, expiry: 2, scopes: 1, past: 0.5 })
  if (kind === 'past') return { path, body: { ...body, scopes: [], expires_at: iso(exam.now) } }
  if (kind === 'scopes') return { path, body: { name: body.name } }
  return { path, body: kind === 'scope' ? body : { ...body, scopes: contract.SCOPES, expires_at } }
}

const isToken = ({ type, id }: Row, token: string) => type === 'access_token' && id === token

/** A token that the examiner does not need. */
function pickSpare(
  exam: Examiner,
  random: Random,
  isUsable: (token: Token) => boolean = () => true,
): Token | undefined {
  const spare = [...exam.model.tokens.values()].filter(({ json }) => String(json['name']).startsWith('exam'))
  const usable = spare.filter(isUsable)
  return usable.length === 0 ? undefined : random.pick(usable.slice(-4))
}

function prepareUpdate(exam: Examiner, random: Random): Prepared {
  // An event shows the present name of its actor, so no actor is renamed.
  const isActor = ({ id }: Token) =>
    [...exam.model.feed, ...exam.model.events].some(({ actor }) => isToken(toRow(actor), id))
  const token = pickSpare(exam, random, (each) => !isActor(each))
  const scopes = [random.pick(contract.SCOPES), 'users:write'].filter((scope, i, all) => all.indexOf(scope) === i)
  const body: Row = random.pick([
    {},
    { scopes },
    { expires_at: null },
    { expires_at: iso(exam.now + 90_000) },
    { name: exam.name('renamed'), scopes },
  ])
  return { path: `/tokens/${token?.id ?? NO_ID}`, body }
}

function prepareRotate(exam: Examiner, random: Random): Prepared {
  const path = `/tokens/${pickSpare(exam, random)?.id ?? NO_ID}/rotate`
  return { path, body: { overlap_hours: random.pick([0, 1, 1, 24]) } }
}

function prepareRevoke(exam: Examiner, random: Random): Prepared {
  return { path: `/tokens/${pickSpare(exam, random)?.id ?? NO_ID}` }
}

/** A token gives itself a new secret, unless it is used with an older one. */
function prepareRotateOwn(_: Examiner, random: Random): Prepared {
  return { path: '/v1/token/rotate', body: { overlap_hours: random.pick([1, 24]) } }
}

export const TOKEN_TASKS: Task[] = [
  ofOperators('POST /tokens', prepareCreate),
  ofOperators('PATCH /tokens/{id}', prepareUpdate),
  ofOperators('DELETE /tokens/{id}', prepareRevoke),
  ofOperators('POST /tokens/{id}/rotate', prepareRotate),
  ofOperators('POST /tokens/revoke_all', () => ({ path: '/tokens/revoke_all', body: {} })),
  taskOf('GET /v1/token', () => ({ path: '/v1/token' })),
  taskOf('POST /v1/token/rotate', prepareRotateOwn),
]
