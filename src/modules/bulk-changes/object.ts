/** The object that carries out the bulk changes of a store (src/modules/bulk-changes/carry-out.ts), one chunk after the other. */
import { DurableObject } from 'cloudflare:workers'
import type { Bindings } from '../../bindings.ts'
import { carryOut } from './carry-out.ts'
import { BULK } from './limits.ts'

export class BulkChanges extends DurableObject<Bindings> {
  #isWoken = false

  /** Starts the work, or has it look for bulk changes that are new. */
  async wake(store: number): Promise<void> {
    this.#isWoken = true
    this.ctx.storage.sql.exec('create table if not exists store (number integer primary key)')
    this.ctx.storage.sql.exec('insert or ignore into store values (?)', store)
    // One that is set for an earlier time stays: otherwise, a caller that calls repeatedly would postpone it.
    const now = Date.now()
    if (((await this.ctx.storage.getAlarm()) ?? Infinity) > now) await this.ctx.storage.setAlarm(now)
  }

  /** The next alarm is set before the work begins: the work continues there if the object dies, or if the database has failed. */
  override async alarm(): Promise<void> {
    const [row] = this.ctx.storage.sql.exec<{ number: number }>('select number from store').toArray()
    if (row === undefined) return
    await this.ctx.storage.setAlarm(Date.now() + BULK.restartMs)
    this.#isWoken = false
    const end = await carryOut(row.number, this.env, () => this.#takeWoken())
    if (end === 'more' || this.#isWoken) await this.ctx.storage.setAlarm(Date.now())
    else if (end === 'done') await this.ctx.storage.deleteAlarm()
  }

  #takeWoken(): boolean {
    const isWoken = this.#isWoken
    this.#isWoken = false
    return isWoken
  }
}
