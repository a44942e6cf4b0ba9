/**
 * Replaces the globals that the Worker's code uses: the clock is virtual, timers are scheduled events, randomness comes
 * from the seed, and `fetch` reaches the simulated receivers. Work that Node would do on another thread throws
 * (crypto.subtle), because its end would not depend on the seed. Between runs the real ones are used.
 *
 * So the Worker must read clocks and randomness when it needs them, never at module level, by `Date`, `setTimeout`,
 * `AbortSignal.timeout`, `Math.random`, `crypto.randomUUID`, `crypto.getRandomValues`, or `randomBytes` and `randomUUID` of
 * node:crypto. What it keeps at module level must not be visible to a caller, because its modules serve several runs.
 */
import crypto, { createSecretKey, type Hmac, type KeyObject } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { TextHeaders, TextRequest, TextResponse } from './fetch-api.ts'
import type { Event, World } from './world.ts'

let world: World | undefined
let receive: typeof fetch | undefined
const timers = new Map<number, Event>()
let lastTimer = 0

/** Sets the world of the run that begins. Undefined ends the run. */
export function setWorld(next: World | undefined, receiver?: typeof fetch): void {
  world = next
  receive = receiver
  // A timer that is left refers to its world, and so to everything in it.
  timers.clear()
}

const RealDate = Date
const real = {
  setTimeout,
  clearTimeout,
  random: Math.random,
  randomBytes: crypto.randomBytes,
  createHmac: crypto.createHmac,
  console: { ...console },
}

const now = () => (world ? world.clock() : RealDate.now())

class VirtualDate extends RealDate {
  constructor(...values: [] | [number]) {
    super(...(values.length === 0 ? ([now()] as const) : values))
  }

  static override now(): number {
    return now()
  }
}

function virtualSetTimeout(callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): unknown {
  if (!world) return real.setTimeout(callback, ms, ...values)
  const id = ++lastTimer
  const ring = () => {
    timers.delete(id)
    callback(...values)
  }
  timers.set(id, world.schedule(ms, ring))
  return id
}

function virtualClearTimeout(id: unknown): void {
  if (typeof id !== 'number') return
  const event = timers.get(id)
  timers.delete(id)
  if (event) world?.cancel(event)
}

function unavailable(name: string) {
  return () => {
    throw new Error(`${name} is not available: its result would not depend on the seed`)
  }
}

function randomBytes(size: number): Buffer {
  return world ? world.actor.random.fill(Buffer.alloc(size)) : real.randomBytes(size)
}

function randomUUID(): string {
  const bytes = randomBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const keys = new Map<string, KeyObject>()
const MAX_KEYS = 1000

/** Keeps the prepared keys: in Node, preparing a key takes four times as long as signing with it. */
function createHmac(algorithm: string, key: string | Buffer): Hmac {
  const name = typeof key === 'string' ? key : `base64 ${key.toString('base64')}`
  const known = keys.get(name)
  const prepared = known ?? (typeof key === 'string' ? createSecretKey(key, 'utf8') : createSecretKey(key))
  if (keys.size >= MAX_KEYS) keys.clear()
  if (!known) keys.set(name, prepared)
  return real.createHmac(algorithm, prepared)
}

const TIMEOUT = new DOMException('The operation timed out', 'TimeoutError')

function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController()
  virtualSetTimeout(() => controller.abort(TIMEOUT), ms)
  return controller.signal
}

/** Keeps a line as Workers Logs would store it. The Worker logs only JSON and errors. */
function capture(level: 'log' | 'warn' | 'error' | 'info' | 'debug') {
  return (...values: unknown[]) => {
    if (!world) return real.console[level](...values)
    world.logs.push(
      values.map((value) => (value instanceof Error ? (value.stack ?? value.message) : String(value))).join(' '),
    )
  }
}

Object.assign(globalThis, {
  Headers: TextHeaders,
  Request: TextRequest,
  Response: TextResponse,
  Date: VirtualDate,
  setTimeout: virtualSetTimeout,
  clearTimeout: virtualClearTimeout,
  setInterval: unavailable('setInterval'),
  fetch: (...request: Parameters<typeof fetch>) => {
    if (!receive) throw new Error('fetch was called outside of a run')
    return receive(...request)
  },
})
Object.defineProperties(crypto.webcrypto, {
  randomUUID: { value: randomUUID },
  getRandomValues: { value: <B extends Uint8Array>(bytes: B) => (world ? world.actor.random.fill(bytes) : bytes) },
  subtle: { value: new Proxy({}, { get: unavailable('crypto.subtle') }) },
})
Object.defineProperty(performance, 'now', { value: now })
Object.assign(AbortSignal, { timeout: timeoutSignal })
Object.assign(Math, { random: () => (world ? world.actor.random.next() : real.random()) })
Object.assign(console, {
  log: capture('log'),
  warn: capture('warn'),
  error: capture('error'),
  info: capture('info'),
  debug: capture('debug'),
})
Object.assign(crypto, {
  createHmac,
  randomBytes,
  randomUUID,
  randomInt: unavailable('randomInt'),
  pbkdf2: unavailable('pbkdf2'),
})
syncBuiltinESMExports()
