/**
 * One round of the soak: the clients of the simulation use two new stores, one in D1 and one with a database of its own, while
 * the service is killed again and again and everything that it needs fails. Then nothing fails any more, every event is
 * delivered, every key is sent again, every record is read, and the checks of the simulation look at all of it.
 */
import { cronsOf, readConfig } from '../../scripts/wrangler-config.ts'
import { checkSecrecy } from '../simulation/checks/checks.ts'
import { readAll, readEvidence, type Evidence } from '../simulation/checks/evidence.ts'
import { checkHistories } from '../simulation/checks/explain.ts'
import { checkResponses } from '../simulation/checks/responses.ts'
import { checkStore } from '../simulation/checks/store.ts'
import { missingEvents } from '../simulation/checks/webhooks.ts'
import type { Client, Quarantine, Store } from '../simulation/clients/client.ts'
import type { ClientWorld } from '../simulation/clients/client-world.ts'
import { runClient } from '../simulation/clients/clients.ts'
import { enable } from '../simulation/clients/endpoints.ts'
import { follow } from '../simulation/clients/followers.ts'
import { History } from '../simulation/clients/history.ts'
import * as contract from '../simulation/contract.ts'
import { createQuarantine, newStore, setUp } from '../simulation/set-up.ts'
import { Random } from '../simulation/world/random.ts'
import { pause } from '../../src/lib/pause.ts'
import { readTables } from './disk.ts'
import { FAULT_RATES } from './fault-rates.ts'
import type { Receivers } from './receivers.ts'
import type { Service } from './service.ts'

const CRONS = cronsOf(readConfig())
const CRON_MS = 5000
/** If deliveries make no progress for this long after the faults have stopped, they are lost. */
const STALL_MS = 60_000
/** Pauses are shorter than in the simulation, where they cost nothing. */
const HASTE = 8
const BURSTS = { everyMs: 700, lengthMs: 30 }
const CLIENTS = 16
const SHARED: contract.Place = { place: 'shared' }
const OWN: contract.Place = { place: 'own' }

interface Parts {
  service: Service
  receivers: Receivers
}

export class Round {
  readonly #service: Service
  readonly #receivers: Receivers
  readonly #n: number
  readonly #world: ClientWorld
  readonly history: History
  /** For people. */
  phase = 'setting up'
  readonly #quarantine: Quarantine
  readonly #stores: readonly [Store, Store]

  constructor({ service, receivers }: Parts, n: number) {
    this.#service = service
    this.#receivers = receivers
    this.#n = n
    receivers.deliveries.length = 0
    this.#world = realWorld(Date.now() + n)
    this.history = new History(this.#world, service.send)
    this.#quarantine = { id: `quarantine-${n}`, place: n % 2 === 0 ? OWN : SHARED, tokens: [] }
    this.#stores = [newStore(`red-${n}`, SHARED), newStore(`blue-${n}`, OWN)]
  }

  /** Returns what was lost, duplicated or changed, or should have been deleted. */
  async run(seconds: number): Promise<string[]> {
    await this.#service.start()
    await createQuarantine(this.history, this.#quarantine)
    for (const [i, store] of this.#stores.entries()) await setUp(this.#client(`set up ${store.id}`, i))
    await this.#service.restart(FAULT_RATES)
    this.#receivers.isFaulty = true
    this.phase = 'clients work'
    const time = { isOver: false }
    const end = this.#world.now + seconds * 1000
    const followers = this.#stores.map((_, i) => follow(this.#client(`follower ${i}`, i), {}, () => time.isOver))
    const storm = Array.from({ length: CLIENTS }, (_, i) => this.#work(this.#client(`client ${i}`, i), end))
    await this.#killUntil(Promise.all(storm))
    this.#receivers.isFaulty = false
    await this.#service.restart()
    this.phase = 'the last events are delivered'
    const settled = await this.#settle()
    this.phase = 'everything is read'
    for (const i of this.#stores.keys()) await this.#readEverything(this.#client('end', i))
    time.isOver = true
    return this.#check(await Promise.all(followers), settled)
  }

  #client(name: string, i: number): Client {
    const [red, blue] = this.#stores
    const [store, other] = i % 2 === 0 ? [red, blue] : [blue, red]
    const { history } = this
    return { name, store, other, examined: store, quarantine: this.#quarantine, world: this.#world, history }
  }

  async #work(client: Client, end: number): Promise<void> {
    const without = new Set<string>()
    for (let i = 0; this.#world.now < end; i++) await runClient(client, { from: i, to: i + 1, without })
  }

  async #killUntil(end: Promise<unknown>): Promise<void> {
    const crons = setInterval(() => void this.#service.runCron(CRONS.minutely), CRON_MS)
    const ended = end.then(() => true)
    while (!(await Promise.race([ended, pause(2000 + Math.random() * 6000)]))) await this.#service.restart(FAULT_RATES)
    clearInterval(crons)
  }

  /** Enables every endpoint, waits until every event is delivered or deliveries stall, and returns when that was. */
  async #settle(): Promise<number> {
    const { history } = this
    for (const store of this.#stores) {
      for (const each of store.endpoints) await enable({ store, history }, `enable ${each.url}`, each)
    }
    let fewest = Infinity
    let deadline = Infinity
    for (let i = 0; ; i++) {
      if (!(await this.#service.runCron(CRONS.minutely))) history.violations.push('a cron has failed without a fault')
      const now = this.#world.now
      let left = 0
      for (const store of this.#stores) {
        const events = await readAll(history, `settle ${i}`, contract.listEvents, store.id)
        for (const each of store.endpoints) left += missingEvents(each, events, this.#receivers.deliveries).length
      }
      if (left < fewest) deadline = now + STALL_MS
      fewest = Math.min(left, fewest)
      if (fewest === 0 || now > deadline) return now
      await pause(500)
    }
  }

  /** Sends every key again, and reads every record: what was acknowledged must be there. */
  async #readEverything({ store, history }: Client): Promise<void> {
    const secret = store.tokens[0]?.secret ?? ''
    const requests = [
      ...store.keys.map(({ token, toRequest }) => toRequest(token.secret)),
      ...[...store.users].map((id) => contract.readUser(store.id, secret, id)),
      ...store.accesses.map((id) => contract.readAccess(store.id, secret, id)),
    ]
    for (const [i, request] of requests.entries()) await history.send(`${store.id} end ${i}`, request)
  }

  async #check(followed: Awaited<ReturnType<typeof follow>>[], settled: number): Promise<string[]> {
    const { history } = this
    // Nobody follows the events of the quarantine.
    await readAll(history, 'end', contract.listEvents, this.#quarantine.id)
    const found = []
    for (const [i, store] of this.#stores.entries()) {
      found.push(await readEvidence(history, store, followed.slice(i, i + 1)))
    }
    await this.#service.kill()
    this.phase = 'checked'
    const evidence: Evidence = {
      world: { now: this.#world.now, faults: [], logs: [] },
      history,
      stores: [...this.#stores],
      deliveries: this.#receivers.deliveries,
      tables: readTables(this.#service.persistTo),
    }
    return [
      ...history.violations,
      ...checkHistories([...this.#stores, this.#quarantine], history),
      ...checkResponses(history),
      ...checkSecrecy(evidence),
      ...found.flatMap((each) => checkStore(evidence, each, settled)),
    ].map((text) => `round ${this.#n}: ${text}`)
  }
}

/** The real clock. It does not jump, unlike that of the system. */
function realWorld(seed: number): ClientWorld {
  const now = () => performance.timeOrigin + performance.now()
  return {
    get now() {
      return now()
    },
    random: new Random(seed),
    bursts: BURSTS,
    isHoliday: false,
    isExact: false,
    sleep: (ms) => pause(ms / HASTE),
    sleepUntil: (at) => pause(at - now()),
  }
}
