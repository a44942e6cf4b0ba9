/**
 * The object of a store that has a database of its own. It runs the batches of the Worker, as D1 does, and its alarm does
 * the work that the crons do for the shared database.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Bindings } from '../../bindings.ts'
import type { BoundStatement } from '../../db/database.ts'
import { type BatchResult, runBatch, type StoreObject } from '../../db/object-database.ts'
import { workOnStore } from './work-on-store.ts'
import { OWN_STORE } from '../store-directory/limits.ts'
import { hasTables, migrate } from '../../db/migrations.ts'

export class StoreDatabase extends DurableObject<Bindings> implements StoreObject {
  #isMigrated = false
  /** When the alarm rings; null if it is not set. Undefined until it has been read. */
  #alarmAt: number | null | undefined
  /** How many batches have changed something since the object started. */
  #changes = 0

  async batch(statements: BoundStatement[]): Promise<BatchResult> {
    // Read before the batch: with an await between a change and its alarm, the change could be stored without it.
    this.#alarmAt ??= await this.ctx.storage.getAlarm()
    this.#migrate()
    const result = runBatch(this.ctx.storage, statements)
    if (result.rowsWritten > 0) await this.#noteChange()
    return result
  }

  /** Sets the alarm to now, unless nobody has used the object. */
  async wake(): Promise<void> {
    if (hasTables(this.ctx.storage)) await this.#setAlarm(Date.now())
  }

  /** Sets the next alarm before the work begins: the platform gives up an alarm that fails six times. */
  override async alarm(): Promise<void> {
    this.#migrate()
    const soon = Date.now() + OWN_STORE.soonMs
    await this.#setAlarm(soon)
    const changes = this.#changes
    const next = await workOnStore(this.ctx.storage, this.env)
    // The work may have read before a change that was made meanwhile, so it runs again soon.
    await this.#setAlarm(changes === this.#changes ? next : Math.min(next, soon))
  }

  #migrate(): void {
    if (!this.#isMigrated) migrate(this.ctx.storage)
    this.#isMigrated = true
  }

  /** A change leaves work for the alarm: the end of an access, statistics, or a wake-up that got lost. */
  async #noteChange(): Promise<void> {
    this.#changes++
    const soon = Date.now() + OWN_STORE.soonMs
    if (this.#alarmAt == null || this.#alarmAt > soon) await this.#setAlarm(soon)
  }

  async #setAlarm(time: number): Promise<void> {
    this.#alarmAt = time
    await this.ctx.storage.setAlarm(time)
  }
}
