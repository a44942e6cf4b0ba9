/**
 * What an object gets as `ctx.storage`: its own database, and one alarm. Both outlive the object. As in
 * workerd, what the object does without waiting is stored together or not at all, so it dies only where it waits or between
 * two transactions.
 */
import type { Database, Param } from './sqlite.ts'
import type { Actor, Event, Instance, World } from './world.ts'

export const STORAGE_CHANCES = { 'the object dies before': 0.004, 'the object dies after': 0.006 }
/** A change has its consequences within this time, and clocks differ by less than the rest. */
const SOON_MS = 60_000 + 10_000
const BEHIND_MS = 1000
/** The others only read. */
const WRITE = /^\s*(insert|update|delete|replace|create)\b/i
/** The actors that do the work that is due. */
const WORK = / (alarm \d+|wake) inside$/

/** The time of the alarm, and what rings it. */
export class Alarm {
  at: number | null = null
  /** The newest change by a request, and the actor that has set the alarm or read the database since. */
  #unseen: Actor | undefined
  readonly #world: World
  readonly #ring: () => void
  #event: Event | undefined

  constructor(world: World, ring: () => void) {
    this.#world = world
    this.#ring = ring
  }

  set(at: number | null): void {
    if (this.#event) this.#world.cancel(this.#event)
    this.at = at
    if (at !== null) this.schedule(at)
  }

  /** The platform rings by its own clock. An object whose clock is behind would otherwise set it again and again in no time. */
  schedule(at: number): void {
    const delay = at - this.#world.now
    this.#event = this.#world.schedule(delay < 0 ? BEHIND_MS : delay, this.#ring, this.#world.network)
  }

  /** True if it rings within the time in which a change must have its consequences. */
  get isSoon(): boolean {
    return this.at !== null && this.at <= this.#world.now + SOON_MS
  }

  noteChange(actor: Actor): void {
    this.#unseen = actor
  }

  noteRead(): void {
    this.#unseen = undefined
  }

  /** The request whose change nobody has seen since. */
  get unseen(): string | undefined {
    return this.#unseen?.name
  }
}

export interface Stored {
  name: string
  database: Database
  alarm: Alarm
  /** The object is the database of a store, whose changes have consequences that its alarm takes care of. */
  holdsStore: boolean
}

export function createStorage(world: World, { name, database, alarm, holdsStore }: Stored, instance: Instance) {
  let isChanged = false
  /** True until the object waits, once it has written something. */
  let hasWritten = false
  let isInTransaction = false
  const checkLife = () => {
    if (!instance.isAlive) throw new Error('the object has died')
  }
  const defect = (text: string) => void world.defects.push(`${name}: ${text}, by ${world.actor.name}`)

  function exec(sql: string, ...params: Param[]) {
    if (isInTransaction || !WRITE.test(sql)) return run(sql, params)
    return store(() => run(sql, params))
  }

  function run(sql: string, params: Param[]) {
    checkLife()
    if (params.length === 0 && /;\s*\S/.test(sql)) {
      database.exec(sql)
      return new Cursor([], 0)
    }
    const { rows, toNamed, changes } = database.run({ sql, params })
    isChanged ||= changes > 0
    return new Cursor(rows.map(toNamed), changes)
  }

  /** What is stored together is not torn apart. */
  function pickFault() {
    const fault = world.fault('object storage', STORAGE_CHANCES)
    if (fault === 'the object dies before' && !hasWritten) world.kill(instance)
    return fault
  }

  function transactionSync<T>(run: () => T): T {
    return store(() => {
      isInTransaction = true
      try {
        return database.transaction(run)
      } finally {
        isInTransaction = false
      }
    })
  }

  function store<T>(write: () => T): T {
    const fault = pickFault()
    checkLife()
    isChanged = false
    const result = write()
    const isWork = WORK.test(world.actor.name)
    if (isWork) alarm.noteRead()
    else if (isChanged) alarm.noteChange(world.actor)
    noteWritten()
    queueMicrotask(() => {
      if (holdsStore && isChanged && !isWork && !alarm.isSoon)
        defect('a change is stored, and no alarm takes care of it')
    })
    if (fault === 'the object dies after') queueMicrotask(() => world.kill(instance))
    return result
  }

  function noteWritten(): void {
    hasWritten = true
    queueMicrotask(() => (hasWritten = false))
  }

  /** `act` takes effect at once, and the object waits for the response. */
  async function wait(act: () => void): Promise<void> {
    const { actor } = world
    const fault = pickFault()
    if (instance.isAlive) act()
    noteWritten()
    if (fault !== undefined) world.schedule(0, () => world.kill(instance), world.network)
    await new Promise<void>((resolve) => void world.schedule(world.latency(actor), resolve, actor))
  }

  return {
    sql: { exec, databaseSize: 0 },
    deleteAlarm: () => wait(() => alarm.set(null)),
    deleteAll: () => wait(() => database.drop()),
    transactionSync,
    async getAlarm() {
      await wait(() => {})
      return alarm.at
    },
    setAlarm: (at: number | Date) =>
      wait(() => {
        alarm.set(Number(at))
        if (holdsStore && alarm.unseen !== undefined && !alarm.isSoon)
          defect(`the alarm is late for the change of ${alarm.unseen}`)
      }),
  }
}

export type Storage = ReturnType<typeof createStorage>

class Cursor {
  readonly rowsRead: number
  readonly rowsWritten: number
  readonly #rows: Record<string, unknown>[]

  constructor(rows: Record<string, unknown>[], rowsWritten: number) {
    this.rowsRead = rows.length
    this.rowsWritten = rowsWritten
    this.#rows = rows
  }

  toArray() {
    return this.#rows
  }

  one() {
    const [row, ...others] = this.#rows
    if (row === undefined || others.length > 0) throw new Error('Expected exactly one result from SQL query')
    return row
  }

  [Symbol.iterator]() {
    return this.#rows[Symbol.iterator]()
  }
}
