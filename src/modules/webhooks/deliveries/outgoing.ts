/**
 * What an endpoint's object has to send, in memory: the events that it has read, the deliveries that are due, and what is in
 * flight. If the object dies, it reads all of it again, from the cursor on and from its own database.
 */
import { WEBHOOK } from '../limits.ts'
import type { EventRecord } from '../../events/feed.ts'
import { type Delivery, newDelivery } from './delivery.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { Health } from '../health.ts'

/** A request to be sent. `delivery` is new if the event was never attempted. */
export interface DeliveryAttempt {
  event: EventRecord
  delivery: Delivery
  isProbe: boolean
}

/** What a round trip has read. */
interface Found {
  next: EventRecord[]
  readTo: number | null
  due: EventRecord[]
}

export class Outgoing {
  readonly #log: DeliveryLog
  /** By event. */
  readonly #inFlight = new Map<number, Delivery>()
  /** Events that were read and not sent yet, the oldest first. */
  #unsent: EventRecord[] = []
  #readTo: number | undefined
  /** The events of deliveries that are due. */
  readonly #due = new Map<number, EventRecord>()

  constructor(log: DeliveryLog) {
    this.#log = log
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  /** What to send now; `report and read` if the event of a delivery that is due has to be read first. */
  next({ probe_at }: Health, now: number): DeliveryAttempt | 'report and read' | undefined {
    const isProbe = probe_at !== null
    const delivery = isProbe ? this.#log.findOldestWaiting() : this.#findDue(now)
    if (delivery !== undefined) {
      const event = this.#due.get(delivery.event_id)
      return event === undefined ? 'report and read' : { event, delivery, isProbe }
    }
    for (;;) {
      const event = this.#unsent.shift()
      if (event === undefined) return undefined
      // It may have been redelivered before, or the object has died before it reported.
      const known = this.#inFlight.get(event.id) ?? this.#log.findOf(event)
      if (known?.created_at !== event.created_at) return { event, delivery: newDelivery(event), isProbe }
    }
  }

  #findDue(now: number): Delivery | undefined {
    return this.#log.listDue(now, this.#inFlight.size + 1).find(({ event_id }) => !this.#inFlight.has(event_id))
  }

  begin({ event, delivery }: DeliveryAttempt): void {
    this.#inFlight.set(event.id, delivery)
  }

  end({ event }: DeliveryAttempt): void {
    this.#inFlight.delete(event.id)
    this.#due.delete(event.id)
  }

  /** Every event up to here has a delivery or needs none. `cursor` is the cursor in the database, from which was read. */
  cursorAfter(cursor: number): number {
    const [unsent] = this.#unsent
    const firstAttempts = [...this.#inFlight].filter(([, { attempts }]) => attempts === 0).map(([id]) => id)
    const readTo = this.#readTo ?? cursor
    return Math.min(readTo, ...firstAttempts.map((id) => id - 1), ...(unsent ? [unsent.id - 1] : []))
  }

  /** What the next round trip has to read. An endpoint that is down needs one event, its probe (`hasProbe`: there is one). */
  listWanted(health: Health | undefined, now: number) {
    const isDown = health != null && health.probe_at !== null
    const waiting = isDown ? [this.#log.findOldestWaiting()] : this.#log.listDue(now, WEBHOOK.window)
    const due = waiting.flatMap((delivery) =>
      delivery && !this.#due.has(delivery.event_id) ? [delivery.event_id] : [],
    )
    const hasProbe = isDown && (waiting[0] !== undefined || this.#unsent.length > 0)
    const window = hasProbe ? 0 : Math.max(0, WEBHOOK.window - this.#unsent.length)
    return { due, hasProbe, window, readTo: this.#readTo }
  }

  /** Takes over what a round trip has read that was asked for these deliveries that are due. */
  take(due: readonly number[], found: Found): void {
    for (const event of found.due) if (this.#log.findOf(event)) this.#due.set(event.id, event)
    // Their events were purged, or a restore of the database has removed them.
    for (const id of due) if (!this.#due.has(id)) this.#log.drop(id)
    this.#unsent.push(...found.next)
    this.#readTo = found.readTo ?? this.#readTo
  }

  /** The next round trip reads from the cursor of the database, after a restore of it, or once the work has failed. */
  forgetRead(): void {
    this.#unsent = []
    this.#due.clear()
    this.#readTo = undefined
  }
}
