/** An integrator who follows GET …/events while everything fails: what it has read must be all there is, in order. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from './soak-clients.ts'

/** As much of an event as is looked at. */
export interface ReadEvent {
  id: string
  type: string
}

export interface Reader {
  events: ReadEvent[]
  /** Reads on to the end, once nothing is written any more. */
  finish: () => Promise<void>
}

export function followEvents({ origin, store, token }: Target): Reader {
  const events: ReadEvent[] = []
  let isLast = false

  /** Adds what comes after the last one; how much that was, undefined when there was no answer. */
  async function readOn(): Promise<number | undefined> {
    const after = events.at(-1)?.id
    const query = after === undefined ? 'limit=100' : `limit=100&after=${after}`
    try {
      const response = await fetch(`${origin}/v1/stores/${store}/events?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (response.status !== 200) return undefined
      const { data }: { data: ReadEvent[] } = JSON.parse(await response.text())
      events.push(...data)
      return data.length
    } catch {
      // Cut: what was not read whole was not read.
      return undefined
    }
  }

  async function follow(): Promise<void> {
    for (;;) {
      const wasLast = isLast
      const count = await readOn()
      if (count === 0 && wasLast) return
      if (count === undefined || count === 0) await pause(100)
    }
  }

  const following = follow()
  return {
    events,
    finish: () => {
      isLast = true
      return following
    },
  }
}
