/** Reads GET …/events while everything fails, as an integrator does; it must get every event in order. */
import type { Memory, Target } from './memory.ts'
import { pause, persistent } from './persist.ts'

/** Only these fields of an event are needed here. */
export interface ReadEvent {
  id: string
  type: string
}

export interface Reader {
  events: ReadEvent[]
  /** Reads to the end; call it when nothing is written anymore. */
  finish: () => Promise<void>
}

export function followEvents(target: Target, memory: Memory): Reader {
  const persist = persistent(target, memory)
  const events: ReadEvent[] = []
  let cursor: string | undefined
  let isLast = false

  async function follow(): Promise<void> {
    for (;;) {
      const wasLast = isLast
      const query = cursor === undefined ? 'limit=100' : `limit=100&after=${cursor}`
      const { status, text } = await persist({ method: 'GET', path: `/v1/stores/${target.store}/events?${query}` })
      if (status !== 200) throw new Error(`The events after ${cursor} returned ${status}: ${text}`)
      const page: { data: ReadEvent[]; next: string | null; cursor: string } = JSON.parse(text)
      events.push(...page.data)
      ;({ cursor } = page)
      if (page.next === null && wasLast) return
      if (page.next === null) await pause(100)
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
