/**
 * Clients as they should be: they repeat what was cut or answered 5xx, and remember what they were told. What they are
 * told is judged at once where one answer suffices (`wrong`), else at the end.
 */
import { ADMIN_TOKEN } from '../bench/host.ts'
import { countOn, update } from './client-changes.ts'
import { createAndErase, createBatch, createSameEmail, createWithKey, createWithoutKey } from './client-creates.ts'
import { openClient } from './client.ts'
import type { Memory, Target } from './memory.ts'
import { pause, persistent } from './persist.ts'

/** One client: until told to stop, then to the end of what it is doing. */
export async function runClient(
  target: Target,
  memory: Memory,
  accessId: string,
  isOver: () => boolean,
): Promise<void> {
  const client = openClient(target, memory)
  /** How often each is done, of all that a client does. */
  const habits: [share: number, act: () => Promise<void>][] = [
    [0.15, () => createWithoutKey(client)],
    [0.2, () => createWithKey(client, 1)],
    [0.1, () => createWithKey(client, 4)],
    [0.05, () => createSameEmail(client, 4)],
    [0.2, () => update(client, accessId)],
    [0.1, () => countOn(client)],
    [0.1, () => createAndErase(client)],
    [0.1, () => createBatch(client)],
  ]
  while (!isOver()) {
    let dice = Math.random()
    const [, act] = habits.find(([share]) => (dice -= share) < 0) ?? habits[0] ?? []
    await act?.()
    await pause(Math.random() * 400)
  }
}

/** The operator, who replaces the token's secret again and again; two of three times the old one stays good. */
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
    // A rotation whose answer was lost has left one secret more than was thought: the next one ends them all.
    if (status === 200) target.token = JSON.parse(text).token
    else if (status !== 422) memory.wrong.push(`rotation: ${status} ${text}`)
    memory.tally.rotated++
    await pause(1000 + Math.random() * 2000)
  }
}
