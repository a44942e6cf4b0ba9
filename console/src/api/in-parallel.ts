/** Sends many requests, a few at a time, and slows down when the service asks for it. */
import { toFailure } from './failure.ts'

const MAX_AT_ONCE = 4
/**
 * A quota recovers within a minute. An outage that lasts longer is reported as a failure, or the operator would wait
 * without end.
 */
const MAX_TRIES = 6
const MAX_PAUSE_S = 120

/**
 * Resolves when all work is done. After `signal` is aborted it resolves when the requests that were under way are done.
 * `work` must handle its own failures: if it throws, the other items are not waited for.
 */
export async function inParallel<T>(items: T[], work: (item: T) => Promise<void>, signal: AbortSignal): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) {
      if (signal.aborted) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker))
}

/**
 * One pause for all requests. A 429 or 503 of one request delays the others too, because they would use up the same
 * quota.
 */
export class Backoff {
  #until = 0
  readonly #signal: AbortSignal
  readonly #onPause: (until: number) => void

  constructor(signal: AbortSignal, onPause: (until: number) => void) {
    this.#signal = signal
    this.#onPause = onPause
  }

  /** Throws what the call throws, or the reason of the signal if it is aborted while the call waits. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      await this.#wait()
      try {
        return await call()
      } catch (error) {
        const { status, retryAfter } = toFailure(error)
        if ((status !== 429 && status !== 503) || tries === MAX_TRIES) throw error
        this.#pause(Math.min(retryAfter ?? 2 ** tries, MAX_PAUSE_S))
      }
    }
  }

  #pause(seconds: number): void {
    this.#until = Math.max(this.#until, Date.now() + 1_000 * seconds)
    this.#onPause(this.#until)
  }

  async #wait(): Promise<void> {
    for (let left; (left = this.#until - Date.now()) > 0;) await sleep(left, this.#signal)
    this.#signal.throwIfAborted()
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
