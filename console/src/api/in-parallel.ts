/** Many requests, a few at a time, at the pace that the service asks for. */
import { toFailure } from './failure.ts'

const MAX_AT_ONCE = 4
/** A quota is free again within a minute; what is down for longer is told as a failure. */
const MAX_TRIES = 6
const MAX_PAUSE_S = 120

/** Ends when all is done, or, once `signal` is aborted, what was under way. `work` handles its own failures. */
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

/** A pause that the service asks one request for (429, 503) holds all of them. */
export class Pace {
  #until = 0
  readonly #signal: AbortSignal
  readonly #onPause: (until: number) => void

  constructor(signal: AbortSignal, onPause: (until: number) => void) {
    this.#signal = signal
    this.#onPause = onPause
  }

  /** Throws what the call throws, and the abortion of the signal while it waits. */
  async ask<T>(call: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      await this.#wait()
      try {
        return await call()
      } catch (error) {
        const { status, retryAfter } = toFailure(error)
        if ((status !== 429 && status !== 503) || tries === MAX_TRIES) throw error
        this.#hold(Math.min(retryAfter ?? 2 ** tries, MAX_PAUSE_S))
      }
    }
  }

  #hold(seconds: number): void {
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
