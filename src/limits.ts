/**
 * The lengths, sizes, times and costs that callers and operators notice, or that several rooms share, by subject (those of a
 * user's other fields are in src/modules/users/user-fields.ts). What one file uses alone stands in that file. Lengths are in
 * Unicode code points, times in the unit of the name.
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

/** The same for accesses that are filtered by what their users have in a custom field, which reads the users as well. */
export const FIELD_SCAN_LIMIT = 2000

/**
 * How much older an event may be than one before it: far longer than a request waits for its turn, for a password and for
 * the database together.
 */
export const EVENT_DISORDER_MS = 5 * 60_000

/**
 * How many users a search examines: by email, if theirs may start with the text, and by name. A request that examines both
 * examines as many fewer by name, so that `names` is the total. A page that is not full reads them twice. That takes D1,
 * which does one thing at a time, 45 ms if each user has 2 KB of custom fields. Folding turns some characters into eighteen,
 * so `maxFolded` limits the folded words together, and of a folded name `foldedName` characters are kept.
 */
export const SEARCH = {
  emails: 500,
  names: 10_000,
  words: 5,
  maxLength: 100,
  maxFolded: 100,
  foldedName: 255,
  /** A search for fewer digits is one for words. */
  phoneDigits: 4,
  /** Two spellings of a phone end with the same digits, whatever prefixes they have. */
  phoneEnd: 8,
} as const

/**
 * How many records the first page of a file has, and the largest. D1 allows 1,000 statements per request and a page takes
 * two, so a file has at most about a million lines. If the texts of a page's users had more than `pageBytes`, it has
 * `largeUsers`, as many as fit in any case: what D1 returns, the lines and their bytes must fit into an isolate of 128 MB
 * together.
 */
export const EXPORT = {
  firstPage: 100,
  maxPage: 2000,
  pageBytes: 256 * CUSTOM_FIELDS.bytes,
  largeUsers: 256,
} as const

/**
 * How many users a page of a file with `q` examines, as in `SEARCH`, and how many it has. With the windows of the list,
 * 1,000 statements would not suffice for a store of a million users; with these, they suffice for almost ten million, of
 * whom an eighth of a million match. This page is not limited by bytes: 250 users have at most 15 MB.
 */
export const EXPORT_SEARCH = { emails: 5000, names: 20_000, maxPage: 250 } as const

/** The `Retry-After` of a 503. */
export const RETRY_AFTER_SECONDS = 5

/** How long a browser that has used the service uses only HTTPS (RFC 6797). */
export const HSTS_SECONDS = 365 * 24 * 60 * 60

/** The status counts at most this many pending deliveries, at two rows read each, and shows this number if there are more. */
export const PENDING_LIMIT = 10_000

/** The status counts at most this many rows of each kind that are to be purged, and examines about as many. */
export const BACKLOG_LIMIT = 5000

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

/**
 * How many accesses one batch announces, at two rows each, and of how many stores. A run leaves the rest to the next after
 * so many batches, or so much time, for each of the two events.
 */
export const EXPIRY = { chunk: 500, stores: 20, maxChunks: 40, ms: 15_000 } as const

/**
 * One batch counts so many stores and so many of their events, and a chunk so many of their users and accesses, which takes
 * D1 15 ms. A run leaves the rest to the next after so many batches, or so much time. A store that takes t to count is
 * counted at most every `restFactor` × t.
 */
export const STATS = {
  defaultDays: 30,
  maxDays: 90,
  products: 20,
  endingMs: 7 * DAY_MS,
  stores: 20,
  events: 2000,
  rows: 25_000,
  restFactor: 100,
  maxChunks: 60,
  ms: 20_000,
} as const

/**
 * D1 recommends to delete at most a few thousand rows at once, and allows 1,000 statements per invocation. Four and a half
 * million rows an hour are more than one token can write.
 */
export const PURGE = { chunk: 5000, statements: 900, ms: 10 * 60_000 } as const

/** How many rows of time zones a run of the hourly job compares with the runtime, each of which takes 10 ms. */
export const ZONES_RENEWED_AT_ONCE = 100

export const BULK = {
  users: 1000,
  /** How many accesses one chunk reaches, and how many in a dry run, which writes nothing about them. */
  chunk: 400,
  dryRunChunk: 5000,
  /** How many bulk changes of a store may not have ended: each may read and change every access. */
  unfinished: 20,
  /** An invocation begins no chunk after this time, or after this many: D1 allows 1,000 statements, and a chunk has 7. */
  invocationMs: 20_000,
  invocationChunks: 130,
  /** After a chunk, the store's object rests for twice as long as the chunk took, and at most for this time. */
  maxRestMs: 5000,
  /** An object that dies while it works is started again after this time. */
  restartMs: 30_000,
  /** After this time without progress the minutely job wakes the object of a bulk change, or ends the bulk change. */
  stoppedAfterMs: 60_000,
  failsAfterMs: HOUR_MS,
  /** After how many bulk changes that have stopped a run of the minutely job looks. */
  restarts: 100,
} as const

// Webhooks

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
  /** While requests end, an object reports this often: what an endpoint shows is so old at most. */
  reportMs: 2000,
  /** How many trips to the database an invocation makes: D1 allows 1,000 statements, and a trip has at most 7. */
  invocationTrips: 100,
  /** An object that dies while it works is started again after this time. */
  restartMs: 10_000,
  /** After a trip that has failed, the next one follows after this time, which doubles each time up to the second one. */
  tripRetryMs: 30_000,
  maxTripRetryMs: 10 * 60_000,
  /** The least time until the alarm of an object that has nothing to do now. */
  minPauseMs: 100,
  /** Without any work, an object looks after its endpoint once a day, in case that a wake-up was lost. */
  idleMs: DAY_MS,
  /** After this delay the minutely job looks after a retry or a probe that is due. */
  graceMs: 60_000,
  /** The minutely job wakes at most this many endpoints. */
  wokenPerRun: 1000,
  /** How many deliveries of purged events an object deletes after a trip. */
  purgedAtOnce: 1000,
  secretBytes: 32,
} as const

// Stores with a database of their own

export const OWN_STORE = {
  /** After a change, the store does its minutely work within this time. */
  soonMs: 60_000,
  /** Two runs of a store have at least this pause between them. */
  minPauseMs: 1000,
  /** How long its alarm purges, once an hour: a million rows or so. */
  purgeMs: 30_000,
  /** Without any work that is due earlier, the store's next run. */
  idleMs: HOUR_MS,
  /** How much later than it said a store may run before the minutely job wakes it. */
  lateMs: 10 * 60_000,
  /** The minutely job wakes at most this many stores. */
  wokenPerRun: 100,
  /** How many numbers a creation tries if the objects of the first ones have a store that the directory has lost. */
  triedNumbers: 100,
  /** How many of the largest stores the status lists. */
  largest: 5,
} as const
