import { type Turn, type TurnOptions, waitForTurn } from '../turns.ts'

/** The messages that wait for a turn, and until when. By environment, as the turns. */
const waitingIn = new WeakMap<object, Map<string, number>>()

/**
 * Waits for the key's turn to work on a message. Returns `repeated` if the same message is already waiting: its work has
 * not begun, so it covers what this one is about, too. Without this, the messages of a store that gets more of them than
 * turns would be sent again and again, and the queue of all stores would grow. Returns `late` if the turn does not come
 * in time.
 */
export async function waitWithMessage(
  instance: object,
  key: string,
  message: object,
  options: TurnOptions,
): Promise<Turn | 'repeated' | 'late'> {
  const waiting = waitingIn.get(instance) ?? new Map<string, number>()
  waitingIn.set(instance, waiting)
  const name = JSON.stringify(message)
  // An entry counts for as long as its message may wait: if the invocation is canceled meanwhile, nobody deletes it.
  if ((waiting.get(name) ?? 0) > Date.now()) return 'repeated'
  waiting.set(name, options.until)
  const turn = await waitForTurn(instance, key, options)
  waiting.delete(name)
  return turn ?? 'late'
}
