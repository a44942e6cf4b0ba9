/**
 * Sends one search after another. If a second one arrives while the first is under way, the service lets it wait for about
 * three times as long as the first takes, even if the browser has canceled that one (src/http/middleware/turns.ts). So a search is not
 * canceled at once when its text is typed on: the next one is sent when the response is there.
 */
import type { List } from './pages.ts'

/** A search that nobody wants any more is canceled after this time, because its response may never come. */
const CANCEL_MS = 500

let last: Promise<unknown> = Promise.resolve()

/** Each request waits for the earlier requests of all these lists. If it is not wanted any more by then, it is not sent. */
export function oneAtATime<T>(list: List<T>): List<T> {
  return (after, { limit, signal }) => {
    const page = last.then(() => {
      signal.throwIfAborted()
      return list(after, { limit, signal: abortedLater(signal) })
    })
    last = page.catch(() => {})
    return page
  }
}

function abortedLater(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  signal.addEventListener('abort', () => setTimeout(() => controller.abort(), CANCEL_MS), { once: true })
  return controller.signal
}
