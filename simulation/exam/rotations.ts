/** Rotations until four secrets are valid: all of them are, and the next rotation with an overlap is rejected. */
import type { Client } from '../clients/client.ts'
import * as contract from '../contract.ts'
import { liveCallers } from '../reference/callers.ts'
import type { Random } from '../world/random.ts'
import { expectSignatures, rotateSecret } from './deliveries.ts'
import type { Examiner } from './examiner.ts'
import { newEndpoint } from './outages.ts'
import { perform } from './perform.ts'

/** How many replaced secrets may be valid at once. */
const MAX_OLDER = 3

export async function rotateOften(exam: Examiner, client: Client, random: Random): Promise<void> {
  await exam.pass(1)
  await rotateTokenOften(exam)
  const endpoint = await newEndpoint(exam, client)
  exam.world.scripts.set(endpoint.url, { status: 204 })
  for (let i = 0; i <= MAX_OLDER; i++) await rotateSecret(exam, endpoint)
  await expectSignatures(exam, random, endpoint, MAX_OLDER + 1)
  exam.world.scripts.delete(endpoint.url)
}

async function rotateTokenOften(exam: Examiner): Promise<void> {
  const body = { name: 'exam of rotations', scopes: contract.SCOPES }
  const { id } = await perform(exam, 'token to rotate', 'POST', { path: '/tokens', body })
  const rotation = { path: `/tokens/${String(id)}/rotate`, body: { overlap_hours: 24 } }
  for (let i = 0; i <= MAX_OLDER; i++) await perform(exam, `rotation ${i}`, 'POST', rotation)
  for (const { secret, token } of liveCallers(exam.model, exam.now))
    if (token?.id === id) await exam.send('one of four secrets', contract.readToken(secret ?? ''))
}
