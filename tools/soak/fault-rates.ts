/** How often D1, KV and objects fail. */
export interface FaultRates {
  /** D1 fails before the batch is committed, and with D1_AFTER after it, when the service cannot know that it was. */
  D1_BEFORE: number
  D1_AFTER: number
  /** D1 does not respond, in half of the cases although the batch is committed. */
  D1_HANGS: number
  /** D1 reports that it is overloaded, full or exporting. */
  D1_UNAVAILABLE: number
  KV_THROWS: number
  /** KV loses writes and does not find existing values. */
  KV_LOSES: number
  /** KV takes up to 500 ms, which is twice the time limit of a read. */
  KV_DELAYS: number
  /** A wake-up of an object fails, or is lost. */
  WAKE_THROWS: number
  WAKE_LOSES: number
}

/** These are the rates while clients work. */
export const FAULT_RATES: FaultRates = {
  D1_BEFORE: 0.05,
  D1_AFTER: 0.05,
  D1_HANGS: 0.002,
  D1_UNAVAILABLE: 0.005,
  KV_THROWS: 0.2,
  KV_LOSES: 0.2,
  KV_DELAYS: 0.2,
  WAKE_THROWS: 0.1,
  WAKE_LOSES: 0.1,
}

/** The header of a response for which a batch was sent again although it was committed. */
export const RESENT = 'X-Soak-Resent'
