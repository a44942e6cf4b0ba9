/**
 * Delivers to one webhook endpoint, in its Durable Object. A call that wakes it only says that something may be new: what to
 * send comes from the database of the store (new events, report-and-read.ts) and from the object's own (retries,
 * delivery-log.ts), and is kept in memory until it is sent (outgoing.ts).
 *   1. The alarm is set before anything else, so that the platform starts the object again if it dies.
 *   2. One round trip to the store's database reports and reads. Then requests are sent, at most six at a time, one if the
 *      endpoint is down.
 *   3. When one ends, its result is written into the object's own database immediately, and the next is sent. Another
 *      round trip follows only if the object has nothing left to send, if it was woken, or after two seconds.
 *   4. At the end, the alarm is set to the next retry or probe.
 * The object is a single one, so there are no leases: what is in flight is in memory. If the object dies, an event without
 * a recorded result is sent again; a receiver drops it by its webhook-id.
 */
import type { Bindings } from '../../../bindings.ts'
import { openDb } from '../../../db/batch.ts'
import { numberOf, storeOf } from '../../../db/ids.ts'
import { databaseOf } from '../../../db/places.ts'
import type { WebhookEndpoint } from '../../../db/schema/stores.ts'
import { afterAttempt, type Delivery } from './delivery.ts'
import type { DeliveryLog } from './delivery-log.ts'
import { reportAndRead, type Report } from './report-and-read.ts'
import {
  afterFailure,
  afterResume,
  afterSuccess,
  type Health,
  initialHealth,
  isProbeDue,
  isToDisable,
  postponeProbe,
} from '../health.ts'
import { type DeliveryAttempt, Outgoing } from './outgoing.ts'
import { isSuccess, send } from './send.ts'
import { wakeEndpoints } from './wake-endpoints.ts'
import { WEBHOOK } from '../limits.ts'
import { describeError, log } from '../../../lib/log.ts'
import { toMessage } from './message.ts'

interface Options {
  endpoint_id: number
  env: Bindings
  deliveries: DeliveryLog
  /** Sets the alarm. It returns before the time is stored; no request leaves the object before that. */
  setAlarm: (time: number) => void
  /** Called if the endpoint no longer exists. */
  forget: () => Promise<void>
}

export class Deliverer {
  readonly #options: Options
  readonly #outgoing: Outgoing
  /** As the database had it last. */
  #endpoint: WebhookEndpoint | undefined
  #running: Promise<void> | undefined
  /** A call has said that something is new. */
  #isWoken = false
  /** Something has changed since the last report: another round trip follows, which may also find new events. */
  #isDirty = false
  #reportedAt = 0
  /** The time for which the alarm has rung. */
  #alarmTime = 0
  /** How often in a row the work has stopped with an error. */
  #stops = 0
  /** Why the result of an attempt is lost. */
  #failure: { error: unknown } | undefined
  /** How many round trips this invocation may still make. */
  #tripsLeft = 0
  /** Resolves when a request ends, or when the object is woken. */
  #change = Promise.withResolvers<void>()

  constructor(options: Options) {
    this.#options = options
    this.#outgoing = new Outgoing(options.deliveries)
  }

  /** Starts the work, or has it look again. The promise resolves at the end of the work, and never rejects. */
  wake(): Promise<void> {
    this.#isWoken = true
    this.#change.resolve()
    return (this.#running ??= this.#run())
  }

  /**
   * The alarm rings that was set for this time. Another one may have been set since: the platform does not cancel the first
   * one while the second one is being stored. If the work continues, it is needed once more, in case the object dies.
   */
  ring(time = 0): Promise<void> {
    this.#alarmTime = time
    if (this.#running === undefined) return this.wake()
    this.#options.setAlarm(this.#now() + WEBHOOK.restartMs)
    // A retry may be due.
    this.#change.resolve()
    return this.#running
  }

  /** The time for which the alarm has rung has come, even if this clock is behind: otherwise it would ring repeatedly. */
  #now(): number {
    return Math.max(Date.now(), this.#alarmTime)
  }

  async #run(): Promise<void> {
    try {
      // No await between the last look at `#isWoken` and the end: a call in between would be lost.
      while (this.#isWoken) await this.#work()
    } catch (error) {
      // Nothing that was read counts any more: the database may have been restored in the meantime.
      this.#endpoint = undefined
      this.#startOver()
      // The alarm starts it again, later each time: the database may be down for hours.
      this.#options.setAlarm(Date.now() + Math.min(WEBHOOK.tripRetryMs * 2 ** this.#stops++, WEBHOOK.maxTripRetryMs))
      const { endpoint_id } = this.#options
      const endpoint = { store: storeOf(endpoint_id), webhook_endpoint_id: numberOf(endpoint_id) }
      log('warning', { code: 'delivery_stopped', ...endpoint, error: describeError(error) })
    } finally {
      this.#running = undefined
    }
  }

  async #work(): Promise<void> {
    this.#setAlarm({ isWorking: true })
    this.#tripsLeft = WEBHOOK.invocationTrips
    for (;;) {
      this.#throwFailure()
      const next = this.#tripsLeft > 0 ? this.#nextStep(this.#now()) : undefined
      if (next === 'report and read') await this.#reportAndRead()
      else if (next === 'forget') return this.#options.forget()
      else if (next !== undefined && this.#endpoint) void this.#attempt(next, this.#endpoint)
      else if (this.#outgoing.inFlight > 0) await this.#waitForChange()
      else break
    }
    // The database and the platform limit what an invocation may do, so an endpoint that is never idle continues in the next
    // one.
    if (this.#tripsLeft > 0) return this.#setAlarm({ isWorking: false })
    this.#isWoken = false
    this.#options.setAlarm(Date.now())
  }

  /** The object could not store a result. The event is neither in flight nor stored, so the cursor must not pass it. */
  #fail(attempt: DeliveryAttempt, error: unknown): void {
    this.#outgoing.end(attempt)
    this.#failure = { error }
    this.#change.resolve()
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
  }

  #waitForChange(): Promise<void> {
    this.#change = Promise.withResolvers()
    return this.#change.promise
  }

  /** What to do now; undefined if there is nothing to do but to wait. */
  #nextStep(now: number): DeliveryAttempt | 'report and read' | 'forget' | undefined {
    const { health } = this.#options.deliveries
    const endpoint = this.#endpoint
    // A round trip needs a connection as well, and an invocation has six.
    const { inFlight } = this.#outgoing
    if (inFlight >= (health?.probe_at == null ? WEBHOOK.inFlight : 1)) return undefined
    if (this.#isWoken) return 'report and read'
    // A request that ends later would write into what was deleted.
    if (health === undefined || endpoint === undefined) return inFlight > 0 ? undefined : 'forget'
    const isLate = this.#isDirty && now - this.#reportedAt >= WEBHOOK.reportMs
    if (isLate) return 'report and read'
    const maySend = endpoint.disabled_at === null && !isToDisable(health, now) && (health.probe_at ?? 0) <= now
    const attempt = maySend ? this.#outgoing.next(health, now) : undefined
    return attempt ?? (this.#isDirty ? 'report and read' : undefined)
  }

  async #attempt(attempt: DeliveryAttempt, endpoint: WebhookEndpoint): Promise<void> {
    try {
      await this.#send(attempt, endpoint)
    } catch (error) {
      this.#fail(attempt, error)
    }
  }

  async #send(attempt: DeliveryAttempt, endpoint: WebhookEndpoint): Promise<void> {
    const { event, delivery, isProbe } = attempt
    this.#outgoing.begin(attempt)
    const started_at = this.#now()
    const result = await send(endpoint, toMessage(event, delivery.attempts + 1))
    // From here on nothing is awaited, so the platform stores all of it or none.
    this.#outgoing.end(attempt)
    this.#isDirty = true
    this.#change.resolve()
    const { deliveries } = this.#options
    const { health } = deliveries
    if (health === undefined) return
    const now = this.#now()
    const isEnabled = this.#endpoint?.disabled_at === null
    const ended = afterAttempt(this.#current(delivery), { result, isProbe, isEnabled, now })
    const { status } = result
    if (isSuccess(status)) return deliveries.record(ended, afterSuccess(health, status))
    // A 410 from before the endpoint was moved to another URL, or enabled, would disable it again.
    const isOutdated = this.#endpoint !== undefined && this.#endpoint.resumed_by !== endpoint.resumed_by
    deliveries.record(ended, isOutdated ? health : afterFailure(health, { status, started_at, isProbe, now }))
    this.#setAlarm({ isWorking: true })
  }

  /** The delivery as it is now: it may have been redelivered in the meantime. */
  #current(delivery: Delivery): Delivery {
    const { event_id: id, created_at } = delivery
    return this.#options.deliveries.findOf({ id, created_at }) ?? delivery
  }

  async #reportAndRead(): Promise<void> {
    const { endpoint_id, env, deliveries } = this.#options
    const now = this.#now()
    this.#isWoken = false
    this.#reportedAt = now
    this.#tripsLeft--
    const { health } = deliveries
    const seen = this.#endpoint
    const report = health && seen && this.#report(health, seen)
    // The first round trip after the object has started cannot report yet.
    this.#isDirty = report === undefined
    const { hasProbe, ...wanted } = this.#outgoing.listWanted(health, now)
    const found = await reportAndRead(openDb(databaseOf(env, storeOf(endpoint_id))), {
      endpoint_id,
      report,
      seen: health && seen && { resumed_by: health.resumed_by, cursor: seen.cursor },
      disables: health !== undefined && isToDisable(health, now),
      ...wanted,
    })
    this.#stops = 0
    this.#endpoint = found.endpoint
    if (found.endpoint === undefined) return
    this.#noticeChanges(found.endpoint, this.#now())
    // A report moves the cursor, also if the response of that round trip was lost. Anywhere else, a restore has put it.
    if (seen && found.endpoint.cursor !== seen.cursor && found.endpoint.cursor !== report?.cursor)
      return this.#startOver()
    this.#outgoing.take(wanted.due, found)
    // Another round trip reports how far this one has read, and reads on.
    if (found.readTo !== null) this.#isDirty = true
    // A probe is due, and there is no event to send as one.
    else if (!hasProbe && isProbeDue(deliveries.health, now))
      deliveries.setHealth(postponeProbe(deliveries.health, now))
    deliveries.purge(found.oldest)
    await wakeEndpoints(env, found.endpointsToWake)
  }

  /** Reads again from the cursor of the database, after a restore of it, or once the work has failed. */
  #startOver(): void {
    this.#outgoing.forgetRead()
    this.#isDirty = true
  }

  /** Notices that the endpoint was enabled or moved to another URL, or is another one. */
  #noticeChanges(endpoint: WebhookEndpoint, now: number): void {
    const { deliveries } = this.#options
    // After a restore, another endpoint may have got the id.
    if (deliveries.health?.created_at !== endpoint.created_at) {
      deliveries.clear()
      deliveries.setHealth(initialHealth(endpoint))
      this.#startOver()
    } else if (deliveries.health.resumed_by !== endpoint.resumed_by) {
      deliveries.setHealth(afterResume(deliveries.health, endpoint, now))
      deliveries.resume(now)
      this.#isDirty = true
    }
  }

  #report({ failing_since, last_status, probe_at }: Health, { cursor }: WebhookEndpoint): Report {
    const { pending, oldest_pending_at, next_attempt_at } = this.#options.deliveries.summarize()
    return {
      // It is kept in the database only, so that a restore restores it.
      cursor: this.#outgoing.cursorAfter(cursor),
      failing_since,
      last_status,
      is_down: probe_at === null ? 0 : 1,
      next_attempt_at: probe_at ?? next_attempt_at,
      pending,
      oldest_pending_at,
    }
  }

  /** While the object works, the alarm is what starts it again if it dies; otherwise, it is the next retry or probe. */
  #setAlarm({ isWorking }: { isWorking: boolean }): void {
    const { deliveries, setAlarm } = this.#options
    const now = this.#now()
    const isDisabled = this.#endpoint !== undefined && this.#endpoint.disabled_at !== null
    const due = isDisabled ? null : (deliveries.health?.probe_at ?? deliveries.summarize().next_attempt_at)
    const latest = now + (isWorking ? WEBHOOK.restartMs : WEBHOOK.idleMs)
    if (due === null || (isWorking && due <= now)) setAlarm(latest)
    // What has become due just now must not wait until then, and what cannot be sent for a defect must not run in a loop.
    else setAlarm(Math.min(Math.max(due, now + WEBHOOK.minPauseMs), latest))
  }
}
