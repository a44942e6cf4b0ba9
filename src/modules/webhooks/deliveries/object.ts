/** The Durable Object of a webhook endpoint. It delivers to the endpoint (deliverer.ts), and shows its deliveries. */
import { DurableObject } from 'cloudflare:workers'
import type { Bindings } from '../../../bindings.ts'
import { type AttemptedEvent, type Delivery, afterRedelivery, newDelivery } from './delivery.ts'
import { DeliveryLog, type PageOfDeliveries } from './delivery-log.ts'
import { afterSuccess } from '../health.ts'
import type { WebhookEndpoint as Endpoint } from '../../../db/schema/stores.ts'
import { type AttemptResult, isSuccess, type Message, send } from './send.ts'
import { Deliverer } from './deliverer.ts'

export class WebhookEndpoint extends DurableObject<Bindings> {
  #opened: { log: DeliveryLog; deliverer: Deliverer } | undefined
  /** When the alarm rings, as far as this instance has set it. */
  #alarmAt: number | undefined

  /** Returns at once: the work continues in the object. */
  wake(endpoint_id: number): void {
    this.ctx.waitUntil(this.work(endpoint_id))
  }

  /** Like `wake`, but returns at the end of the work. */
  work(endpoint_id: number): Promise<void> {
    return this.#open(endpoint_id).deliverer.wake()
  }

  /** It neither throws nor waits: the platform gives up an alarm that fails six times, and fires no other until then. */
  override alarm(info?: AlarmInvocationInfo): void {
    this.#alarmAt = undefined
    const { health } = this.#opened?.log ?? new DeliveryLog(this.ctx.storage)
    if (health === undefined) this.ctx.waitUntil(this.#forget())
    else this.ctx.waitUntil(this.#open(health.endpoint_id).deliverer.ring(info?.scheduledTime))
  }

  /** Sends a test or a redelivery. A request of the Worker itself would show the caller's IP address to the receiver. */
  sendNow(endpoint: Endpoint, message: Message): Promise<AttemptResult> {
    return send(endpoint, message)
  }

  /** Records that a test has succeeded. */
  recover(endpoint_id: number): void {
    const { log } = this.#open(endpoint_id)
    if (log.health) log.recover(afterSuccess(log.health))
    this.wake(endpoint_id)
  }

  /** Records that the event was sent on request, and returns the delivery as it is now. A failure does not count. */
  redelivered(endpoint_id: number, event: AttemptedEvent, result: AttemptResult): Delivery {
    const { log } = this.#open(endpoint_id)
    const delivery = afterRedelivery(log.findOf(event) ?? newDelivery(event), result, Date.now())
    if (log.health && isSuccess(result.status)) log.record(delivery, afterSuccess(log.health, result.status))
    else log.save(delivery)
    this.wake(endpoint_id)
    return delivery
  }

  page(endpoint_id: number, request: PageOfDeliveries): { rows: Delivery[]; next: string | null } {
    return this.#open(endpoint_id).log.page(request)
  }

  #open(endpoint_id: number) {
    if (this.#opened) return this.#opened
    const log = new DeliveryLog(this.ctx.storage)
    const deliverer = new Deliverer({
      endpoint_id,
      env: this.env,
      deliveries: log,
      setAlarm: (time) => this.#setAlarm(time),
      forget: () => this.#forget(),
    })
    return (this.#opened = { log, deliverer })
  }

  /** The platform stores the alarm together with what was written since the last await. */
  #setAlarm(time: number): void {
    if (time === this.#alarmAt) return
    this.#alarmAt = time
    void this.ctx.storage.setAlarm(time)
  }

  /** The endpoint is deleted, so nothing of it is kept, and nothing is billed. */
  async #forget(): Promise<void> {
    this.#opened = undefined
    this.#alarmAt = undefined
    // In this order, so that an alarm is left if something is.
    await Promise.all([this.ctx.storage.deleteAll(), this.ctx.storage.deleteAlarm()])
  }
}
