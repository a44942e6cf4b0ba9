/**
 * The lengths, sizes and times that callers and operators notice, by subject (those of a user's other fields are in
 * src/modules/users/user-fields.ts). What a room uses alone is in its own limits.ts, or in the one file that uses it.
 * Lengths are in Unicode code points, times in the unit of the name.
 */

export const HOUR_MS = 60 * 60 * 1000

export const DAY_MS = 24 * HOUR_MS

// What a request may contain

export const LENGTH = {
  name: 255,
  /** RFC 5321, section 4.5.3.1.3: a path of 256 octets without its two angle brackets. */
  email: 254,
  password: 1024,
  customFieldKey: 64,
  customFieldValue: 1000,
  /** The digits of a number as written, with sign, point and exponent: `1.000…0` parses to 1, however long it is. */
  number: 64,
  slug: 64,
  grade: 255,
  url: 2048,
  idempotencyKey: 255,
  /** How much of an invalid value an error shows. */
  echoedValue: 256,
} as const

/**
 * How many custom fields a request may have (in a batch, an item), and the maximum size of a user's custom fields as they
 * are stored. Without these limits, a page of 100 users could exceed the memory of an isolate.
 */
export const CUSTOM_FIELDS = { keys: 100, bytes: 32_768 } as const

export const BATCH = { items: 100, passwords: 10, accessesOfUser: 10 } as const

/** Ten years: anything longer is a typing error. */
export const EXTENSION = { days: 3650, months: 120 } as const

/** In percent. */
export const MAX_PROGRESS = 100

/** A century: anything longer is a typing error. */
export const MAX_EXPIRATION_DAYS = 36_500

export const MAX_EXPIRY_NOTICE_DAYS = 90

/** To how many stores an operator may be limited. */
export const MAX_OPERATOR_STORES = 100

/** The last millisecond of the year 9999, the latest date that RFC 3339 can write. */
export const MAX_TIME = 253_402_300_799_999

/** Far more than the longest valid body needs, and far less than what would exhaust an isolate of 128 MB. */
export const MAX_BODY_BYTES = 65_536

/** For batches. Their items are one parameter of D1, which may have 2 MB. */
export const MAX_BATCH_BYTES = 1_048_576

// What a response contains

/** How many invalid fields an error lists. Without a limit, an error would be ten times as large as its request. */
export const MAX_DETAILS = 100

export const PAGE_LIMIT = { default: 50, max: 100 } as const

/** The maximum number of records that a page reads if its filter has no index. `next` says where to continue. */
export const SCAN_LIMIT = 5000

/** The `Retry-After` of a 503. */
export const RETRY_AFTER_SECONDS = 5

/** How long a browser that has used the service uses only HTTPS (RFC 6797). */
export const HSTS_SECONDS = 365 * 24 * 60 * 60

// Tokens and keys

/** How long an older secret stays valid after a rotation, and how many secrets may be valid at once. */
export const ROTATION = { overlapHours: 24, maxOverlapHours: 168, secrets: 4 } as const

// The database, and requests that are sent again

export const DATABASE = {
  /** For all attempts of one batch. */
  deadlineMs: 5000,
  retries: 3,
  /** `2^n × base` with full jitter: at most 0.1, 0.2 and 0.4 s. */
  retryBaseMs: 100,
  /** The maximum size of a database on Workers Paid, which the CPU time of a password hash requires anyway. */
  maxBytes: 10_000_000_000,
} as const

export const CLAIM_TTL_SECONDS = 24 * 60 * 60

// What one caller may use

/** The period of the rate limiting bindings in wrangler.toml, and the `Retry-After` of a 429. */
export const RATE_LIMIT_PERIOD_SECONDS = 60

// Jobs

/** How many days before its due date an access gets the event `product_access.expiring`, unless its store says otherwise. */
export const EXPIRY_NOTICE_DAYS = 7

/** The number with commas (`32,768`). `toLocaleString` would load the language data: 20 ms of a cold start. */
export function withCommas(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
