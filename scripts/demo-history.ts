/** Fills the database of a first `npm run dev` with a month of history (scripts/demo-history.sql). */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { idOf } from '../src/db/ids.ts'
import { newSecret, writeToken } from '../src/auth/token-format.ts'
import { digitsOf, foldName } from '../src/modules/users/folding.ts'
import { changesOf } from '../src/modules/time-zones/zone-rows.ts'
import { newSecret as newWebhookSecret } from '../src/modules/webhooks/secrets.ts'
import { DAY_MS } from '../src/limits.ts'

export const HISTORY = readFileSync(join(import.meta.dirname, 'demo-history.sql'), 'utf8')

/** The token that the developer gets. */
const DEMO_TOKEN = idOf(1, 3)

interface Options {
  /** TOKEN_KEY. */
  key: string
  /** Milliseconds since the epoch. The history ends with the day before. */
  now: number
}

/**
 * Returns the token of the demo store. The database must contain only its schema. Everything is inserted or nothing, so
 * that the next start can try again.
 */
export function fillHistory(database: DatabaseSync, { key, now }: Options): string {
  const { bits, hash } = newSecret()
  const requests = new Map<string, string>()
  const functions: Record<string, (value: SQLOutputValue) => SQLInputValue> = {
    at: (time) => time && timeOf(String(time), now),
    dated: (json) => String(json).replaceAll(/"@([^"]+)"/g, (_, time) => String(timeOf(time, now))),
    request: (label) => requestOf(label, requests),
    token_hash: (id) => (id === DEMO_TOKEN ? hash : newSecret().hash),
    clock_changes: (zone) => changesOf(String(zone)),
    webhook_secret: newWebhookSecret,
    fold: (name) => foldName(String(name)),
    digits: (phone) => phone && digitsOf(String(phone)),
  }
  for (const [name, run] of Object.entries(functions)) database.function(name, run)
  database.exec(`begin immediate; pragma defer_foreign_keys = on; ${HISTORY}; commit`)
  return writeToken(key, DEMO_TOKEN, bits)
}

/** A number of days from today's midnight, and the time of that day. */
function timeOf(text: string, now: number): number {
  const [days, time = '00:00:00'] = text.split(' ')
  return now - (now % DAY_MS) + Number(days) * DAY_MS + Date.parse(`1970-01-01T${time}Z`)
}

/** Events of one request have the same label, such as `b/19`. */
function requestOf(label: SQLOutputValue, known: Map<string, string>): string {
  if (label === null) return randomUUID()
  const [name = '', ...path] = String(label).split('/')
  const id = known.get(name) ?? randomUUID()
  known.set(name, id)
  return [id, ...path].join('/')
}
