/** The interesting states of a run: which there are, how often they were reached, and which never. */
import { KV_CHANCES } from './world/bindings.ts'
import { CRON_CHANCES } from './world/crons.ts'
import { PAIRS } from './exam/examine.ts'
import { STORAGE_CHANCES } from './world/object-storage.ts'
import { ALARM_CHANCES, CLASSES, OBJECT_CHANCES, RESTART_CHANCES } from './world/objects.ts'
import { OPERATIONS } from './operations.ts'
import { CHANCES as RECEIVER_CHANCES } from './world/receiver.ts'
import { D1_CHANCES } from './world/round-trip.ts'

const faultsOf = (what: string, chances: object) => Object.keys(chances).map((kind) => `fault ${what}: ${kind}`)

/** What 100 runs must have reached. */
const SINGLE = [
  'replay',
  'replay of an extension',
  'replay after 24 hours creates anew',
  'superseded',
  'no response',
  '401 missing_token',
  '401 invalid_token',
  '403 insufficient_scope',
  '403 store_suspended',
  '404 not_found',
  '410 cursor_expired',
  '412 etag_mismatch',
  '415 unsupported_media_type',
  '422 email_taken',
  '422 access_exists',
  '422 idempotency_key_reused',
  '422 in_use',
  '422 limit_reached',
  'bulk changes ended with their token',
  'bulk changes ended with a suspension',
  'bulk changes outlived the end of their token',
  '429 rate_limited',
  '503 service_unavailable',
  'an endpoint fails 20 times in a row',
  'an endpoint is disabled after days',
  'an endpoint responds 410',
  'events are purged',
  'six requests in flight',
  'TOKEN_KEY was rotated',
  'the work of an endpoint has failed',
  'a restore',
  'a delivery was redelivered',
  ...CLASSES.map((name) => `an object of ${name} restarted`),
  'an object died in a batch',
  'an alarm of StoreDatabase failed',
  'the creation of a store was interrupted, and its POST completed it',
  'the creation of a store was interrupted, and a read completed it',
  'a store is served while D1 is down',
  ...CLASSES.map((name) => `an alarm of ${name} rang after a restart`),
  ...faultsOf('D1', D1_CHANCES),
  ...faultsOf('object', OBJECT_CHANCES),
  ...faultsOf('endpoint', OBJECT_CHANCES),
  ...faultsOf('object restart', RESTART_CHANCES),
  ...faultsOf('object storage', STORAGE_CHANCES),
  ...faultsOf('alarm', ALARM_CHANCES),
  ...faultsOf('KV GET', { ...KV_CHANCES, 'is stale': 0 }),
  ...faultsOf('KV PUT', { ...KV_CHANCES, 'is lost': 0 }),
  ...faultsOf('the receiver at', RECEIVER_CHANCES),
  ...faultsOf('cron', CRON_CHANCES),
  'fault connection: the request is lost',
  'fault connection: the response is lost',
  'fault rate limiter: throws',
  'fault database: is being exported',
]

/** Only a bulk change that is running can be canceled, and in calm none runs long enough. */
const NEVER_IN_CALM = /bulk_changes\/\{id\}\/cancel$/

const IN_CALM = OPERATIONS.filter((operation) => !NEVER_IN_CALM.test(operation)).map(
  (operation) => `in calm: ${operation}`,
)
const WITH_FAULT = PAIRS.map(({ operation, fault }) => `a database: ${fault} in ${operation}`)

export class States {
  readonly #counts = new Map<string, number>()

  add(counts: ReadonlyMap<string, number>): void {
    for (const [state, count] of counts) this.#counts.set(state, (this.#counts.get(state) ?? 0) + count)
  }

  /** The states that no run has reached. */
  missing(): string[] {
    return [...SINGLE, ...IN_CALM, ...WITH_FAULT].filter((state) => !this.#counts.has(state))
  }

  /** A few lines for people. */
  describe(): string {
    const reached = (list: string[]) => `${list.filter((state) => this.#counts.has(state)).length} of ${list.length}`
    const single = SINGLE.filter((state) => !state.startsWith('fault ')).map(
      (state) => `${state} ${this.#counts.get(state) ?? 0}`,
    )
    return [
      `states: ${single.join(', ')}`,
      `operations that succeeded in calm: ${reached(IN_CALM)}; operations with each fault of a database: ${reached(WITH_FAULT)}; kinds of faults: ${reached(SINGLE.filter((state) => state.startsWith('fault ')))}`,
    ].join('\n')
  }
}
