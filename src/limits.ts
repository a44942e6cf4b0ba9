/** Every length, size, time and cost parameter. Lengths are in Unicode code points, times in the unit of the name. */

export const HOUR_MS = 60 * 60 * 1000

export const DAY_MS = 24 * HOUR_MS

export const LENGTH = {
  name: 255,
  /** RFC 5321, section 4.5.3.1.3: a path of 256 octets less its two angle brackets. */
  email: 254,
  phone: 64,
  avatar: 2048,
  password: 1024,
  externalId: 255,
  customFieldKey: 64,
  customFieldValue: 1000,
  slug: 64,
  grade: 255,
  url: 2048,
  idempotencyKey: 255,
  /** How much of a refused value an error echoes. */
  echoedValue: 256,
} as const

/** RFC 1035, section 2.3.4: a name of 255 octets is one of 253 characters. */
export const DOMAIN_LENGTH = { name: 253, label: 63 } as const

/** Far above what the longest valid body takes, far below what hurts an isolate of 128 MB. */
export const MAX_BODY_BYTES = 65_536

/** Of a batch. D1 takes its items as one parameter, of at most 2 MB. */
export const MAX_BATCH_BYTES = 1_048_576

export const BATCH = { items: 100, passwords: 10, accessesOfUser: 10 } as const

/** How much of a body that is too large is read on and dropped before it is refused. */
/** How long a rejected body is read and dropped at most, so that a client that sends nothing still gets its response. */
export const DROP_BODY_MS = 2000
export const MAX_DROPPED_BYTES = 16 * 1024 * 1024

/** Of a learner, in percent. */
export const MAX_PROGRESS = 100

/** A century: longer is a typing error. */
export const MAX_EXPIRATION_DAYS = 36_500

/** Of ADMIN_TOKEN, TOKEN_KEY and TOKEN_KEY_PREVIOUS, in characters. */
export const MIN_SECRET_LENGTH = 32

/** What is random in the id of a store that brings none, in characters of 4 bits. */
export const STORE_ID_CHARACTERS = 12

/** What is random in an access token: 256 bits. */
export const TOKEN_SECRET_BYTES = 32

/** Of an access token's secrets: how long an older one stays good, and how many may be good at once. */
export const ROTATION = { overlapHours: 24, maxOverlapHours: 168, secrets: 4 } as const

/** How long before its end an access is announced to expire, unless the store says otherwise. */
export const EXPIRY_NOTICE_DAYS = 7

export const MAX_EXPIRY_NOTICE_DAYS = 90

/** Of how many accesses a batch announces the end, two rows each; a run ends after so many chunks and the next goes on. */
export const EXPIRY = { chunk: 500, maxChunks: 40 } as const

export const PAGE_LIMIT = { default: 50, max: 100 } as const

/** How many records a page reads at most where a filter has no index; it says where to go on. */
export const SCAN_LIMIT = 5000

/** How many users one search looks through, of those whose e-mail may start so and of all: it reads 5,000 rows at most. */
export const SEARCH = { emails: 400, names: 1500, maxLength: 100 } as const

/** The period of the rate limiting bindings in wrangler.toml; a refused caller is told to wait that long. */
export const RATE_LIMIT_PERIOD_SECONDS = 60

export const CLAIM_TTL_SECONDS = 24 * 60 * 60

/** A KV read slower than this is given up and the response rebuilt from D1, which has it in hand. */
export const REPLAY_READ_TIMEOUT_MS = 250

export const D1 = {
  /** For all attempts of one batch. */
  deadlineMs: 5000,
  retries: 3,
  /** `2^n × base` with full jitter: at most 0.1, 0.2 and 0.4 s of waiting. */
  retryBaseMs: 100,
  /** How large a database may become on Workers Paid, which scrypt's CPU time asks for anyway. */
  maxBytes: 10_000_000_000,
} as const

/**
 * How far back among a store's newest events a batch looks for its own. The first time it is the newest, if it is there;
 * a batch that is sent again has to look past what others have done meanwhile; 100 events cost 15 to 30 µs.
 */
export const LOOKBACK = { firstAttempt: 1, laterAttempt: 10_000 } as const

/** How long a browser that has seen the service asks it by https alone (RFC 6797). */
export const HSTS_SECONDS = 365 * 24 * 60 * 60

/** How long a browser may keep a file whose name holds a hash of what is in it. */
export const UNCHANGING_FILE_SECONDS = 365 * 24 * 60 * 60

/** How long an answer of D1 to `/health` is good for the next that ask. */
export const HEALTH_MS = 1000

/** How many frames of an error's stack the log holds at most. */
export const LOGGED_FRAMES = 8

/** What a 503 asks of its caller. */
export const RETRY_AFTER_SECONDS = 5

/**
 * scrypt N=2^14, r=8, p=5: OWASP Password Storage Cheat Sheet, one of its equivalent settings, and the largest
 * of them that workerd allows (N·r·p at most 2^20).
 */
export const SCRYPT = { log2N: 14, r: 8, p: 5, saltBytes: 16, hashBytes: 32 } as const

/** Of EVENT_RETENTION_DAYS: what waits for a webhook for three days, and whoever reads the feed once a week, must find it. */
export const MIN_RETENTION_DAYS = 7

/** D1 advises deletes of at most some thousand rows; a run ends after so many chunks and the next goes on. */
export const PURGE = { chunk: 5000, maxChunks: 40 } as const

export const WEBHOOK = {
  /** What a delivery waits after each failure, then the last one again and again; each a tenth shorter or longer by chance. */
  delaysSeconds: [5, 30, 120, 600, 3600, 6 * 3600],
  jitter: 0.1,
  /** The last one that begins within three days. */
  retries: 16,
  timeoutMs: 10_000,
  /** How long an attempt is taken to be under way: an answer of D1 (5 s), the time-out, and a second answer of D1. */
  leaseMs: 30_000,
  /** How long what is due may wait before the sweep looks after it. */
  graceMs: 30_000,
  /** How many requests an endpoint has in flight at most: the connections that Workers allow an invocation. */
  inFlight: 6,
  /** An endpoint that has failed so often in a row gets one request at a time, and is disabled after three days. */
  strugglesAfter: 20,
  disableAfterMs: 3 * DAY_MS,
  /** How many events become deliveries of an endpoint at once. */
  window: 100,
  /** An invocation begins no attempt later than this, nor once it has begun so many: D1 takes 1,000 statements from one, and a turn has 12. */
  invocationMs: 20_000,
  invocationAttempts: 50,
  secretBytes: 32,
} as const

/** What Queues take at once, and how long they surely hold a message; one that comes too early finds nothing due. */
export const QUEUE = { messages: 100, maxDelaySeconds: 12 * 60 * 60 } as const

/** How many deliveries are counted as pending at most, each for two rows read: more are shown as so many. */
export const PENDING_LIMIT = 10_000

/** How many of the newest events are counted at most, each for two rows read; and how late one may be written at most. */
export const STATS = { defaultDays: 30, maxDays: 90, events: 100_000, latenessMs: HOUR_MS } as const

/**
 * How many records a page of a file has at first, and at most: it grows while its text stays below so many bytes. D1
 * takes 1,000 statements from a request, two for each page: so a file has about a million lines at most.
 */
export const EXPORT = { firstPage: 100, maxPage: 2000, pageBytes: 8 * 1024 * 1024 } as const
