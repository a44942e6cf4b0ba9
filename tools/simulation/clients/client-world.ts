/**
 * What clients see of the world that they are in: the simulated one (world/world.ts), or the real one, in which the service
 * is reached over HTTP (tools/soak/).
 */
import type { ApiRequest } from '../contract.ts'
import type { Random } from '../world/random.ts'

export interface ClientWorld {
  /** The time in milliseconds, with fractions. It never goes back. */
  readonly now: number
  /** Clients draw from its streams, which have the names of their steps. */
  readonly random: Random
  /** The time between two bursts, and how long one takes: what overlaps competes for the same records. */
  readonly bursts: { readonly everyMs: number; readonly lengthMs: number }
  /** While this is true, days pass without clients. */
  readonly isHoliday: boolean
  /** While this is true, only the examiner works. */
  readonly isExact: boolean
  /** Pauses between two requests. */
  sleep: (ms: number) => Promise<void>
  sleepUntil: (at: number) => Promise<void>
}

export interface ApiResponse {
  status: number
  headers: { get: (name: string) => string | null }
  text: string
  /**
   * The service lost a response of the database and sent the batch again: the change may be older than the record in the
   * response.
   */
  wasResent: boolean
}

/** Sends one request. Its name must be new. The result is undefined if no response came back. */
export type Send = (name: string, request: ApiRequest) => Promise<ApiResponse | undefined>
