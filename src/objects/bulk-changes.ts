/** The object that carries out the bulk changes of a store (jobs/bulk-changes.ts), one chunk after the other. */
import { DurableObject } from 'cloudflare:workers'
import type { Bindings } from '../context.ts'
import { carryOut } from '../jobs/bulk-changes.ts'
import { BULK } from '../limits.ts'

export class BulkChanges extends DurableObject<Bindings> {
  #isWoken = false

  /** Starts the work, or has it look for bulk changes that are new. */
  async wake(store: number): Promise<void> {
    this.#isWoken = true
    this.ctx.storage.sql.exec('create table if not exists store (number integer primary key)')
    this.ctx.storage.sql.exec('insert or ignore into store values (?)', store)
    await this.ctx.storage.setAlarm(Date.now())
  }

  /** The next alarm is set before the work begins: it goes on there if the object dies, and the platform gives up nothing. */
  override async alarm(): Promise<void> {
    const [row] = this.ctx.storage.sql.exec<{ number: number }>('select number from store').toArray()
    if (row === undefined) return
    await this.ctx.storage.setAlarm(Date.now() + BULK.restartMs)
    this.#isWoken = false
    const hasMore = await carryOut(row.number, this.env, () => this.#takeWoken())
    if (hasMore || this.#isWoken) await this.ctx.storage.setAlarm(Date.now())
    else await this.ctx.storage.deleteAlarm()
  }

  #takeWoken(): boolean {
    const isWoken = this.#isWoken
    this.#isWoken = false
    return isWoken
  }
}
