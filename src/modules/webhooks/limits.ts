import { DAY_MS } from '../../limits.ts'

export const WEBHOOK = {
  /** How many endpoints a store may have: each change of the store wakes all of them. */
  endpoints: 16,
  /** The delay after each failure; the last one repeats. Each is shortened or lengthened at random by up to `jitter`. */
  delaysSeconds: [5, 30, 120, 600, 3600, 6 * 3600],
  jitter: 0.1,
  /** The last retry begins within three days. */
  retries: 16,
  timeoutMs: 10_000,
  /** The maximum number of requests in flight to an endpoint: as many as the connections of an invocation. */
  inFlight: 6,
  /** An endpoint that has failed this often in a row is down, and is disabled after three days. */
  downAfter: 20,
  /** The delay before each probe of an endpoint that is down; the last one repeats, each with the same `jitter`. */
  probeDelaysSeconds: [5, 30, 120, 600, 1800],
  disableAfterMs: 3 * DAY_MS,
  /** How many events an object has read and not sent, at most, and how many due deliveries it reads the events of. */
  window: 100,
  /** While requests end, an object reports this often: an endpoint's status is at most this stale. */
  reportMs: 2000,
  /** How many trips to the database an invocation makes: D1 allows 1,000 statements, and a trip has at most 7. */
  invocationTrips: 100,
  /** An object that dies while it works is started again after this time. */
  restartMs: 10_000,
  /** After a trip that has failed, the next one follows after this time, which doubles each time up to the second one. */
  tripRetryMs: 30_000,
  maxTripRetryMs: 10 * 60_000,
  /** The minimum time until the alarm of an object that has nothing to do now. */
  minPauseMs: 100,
  /** Without any work, an object checks on its endpoint once a day, in case a wake-up was lost. */
  idleMs: DAY_MS,
  /** After this delay the every-minute job picks up a retry or a probe that is due. */
  graceMs: 60_000,
  /** The every-minute job wakes at most this many endpoints. */
  wokenPerRun: 1000,
  /** How many deliveries of purged events an object deletes after a trip. */
  purgedAtOnce: 1000,
  secretBytes: 32,
} as const

/** The status counts at most this many pending deliveries, at two rows read each, and shows this number if there are more. */
export const PENDING_LIMIT = 10_000
