/**
 * These clients behave as clients should: they repeat a request after a lost connection or a 5xx, and remember every
 * response. What one response can prove is checked immediately, everything else at the end.
 */
import { ADMIN_TOKEN } from '../bench/host.ts'
import { incrementCounter, update } from './client-changes.ts'
import { createAndErase, createBatch, createSameEmail, createWithKey, createWithoutKey } from './client-creates.ts'
import { openClient } from './client.ts'
import type { Memory, Target } from './memory.ts'
import { pause, persistent } from './persist.ts'

/** Runs one client until `isOver`, and then to the end of its current action. */
export async function runClient(
  target: Target,
  memory: Memory,
  accessId: string,
  isOver: () => boolean,
): Promise<void> {
  const client = openClient(target, memory)
  /** Each action has a share of all actions of a client. */
  const actions: [share: number, act: () => Promise<void>][] = [
    [0.15, () => createWithoutKey(client)],
    [0.2, () => createWithKey(client, 1)],
    [0.1, () => createWithKey(client, 4)],
    [0.05, () => createSameEmail(client, 4)],
    [0.2, () => update(client, accessId)],
    [0.1, () => incrementCounter(client)],
    [0.1, () => createAndErase(client)],
    [0.1, () => createBatch(client)],
  ]
  while (!isOver()) {
    let dice = Math.random()
    const [, act] = actions.find(([share]) => (dice -= share) < 0) ?? actions[0] ?? []
    await act?.()
    await pause(Math.random() * 400)
  }
}

/** Rotates the token as an operator, so that clients use old secrets; every third rotation ends them immediately. */
export async function rotateToken(
  target: Target & { token_id: string },
  memory: Memory,
  isOver: () => boolean,
): Promise<void> {
  const persist = persistent(target, memory)
  const path = `/admin/stores/${target.store}/tokens/${target.token_id}/rotate`
  for (let n = 1; !isOver(); n++) {
    const body = JSON.stringify({ overlap_hours: n % 3 === 0 ? 0 : 1 })
    const { status, text } = await persist({ method: 'POST', path, body, token: ADMIN_TOKEN })
    // A 422 means that too many secrets are valid, because rotations lost their responses; a later rotation ends them.
    if (status === 200) target.token = JSON.parse(text).token
    else if (status !== 422) memory.problems.push(`rotation: ${status} ${text}`)
    memory.tally.rotated++
    await pause(1000 + Math.random() * 2000)
  }
}
