import type { Answer } from './openapi.ts'

const WINDOW_MS = 60_000

/**
 * Sends requests until one gets 429, and returns how many passed. The limiter counts by the minute: if a minute ends
 * before the 429, the count starts again, and so does this with a new sender.
 */
export async function sendUntilRefused(newSender: () => Promise<() => Promise<Answer>>) {
  for (;;) {
    const send = await newSender()
    const minute = Math.floor(Date.now() / WINDOW_MS)
    for (let passed = 0; Math.floor(Date.now() / WINDOW_MS) === minute; passed++) {
      const answer = await send()
      if (answer.status === 429) return { passed, answer }
    }
  }
}
