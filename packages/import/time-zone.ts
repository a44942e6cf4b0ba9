/** What files need to know of the store: the time zone, in which their days are, and the language, which decides how spreadsheets read them. */
import { isTimeZone } from '../../src/calendar.ts'
import { isObject, valueAt } from '../../src/lib/json.ts'
import type { Client } from './client.ts'
import { textIn } from './text-in.ts'

/** This runtime is older than the name of the zone, so it cannot say when a day of it ends. */
export class UnknownZone extends Error {
  override name = 'UnknownZone'
  readonly zone: string

  constructor(zone: string) {
    super(`This program does not know the time zone of the store, ${JSON.stringify(zone)}, so it can read no day.`)
    this.zone = zone
  }
}

export interface StoreSettings {
  zone: string
  /** Such as EN. */
  language: string
}

/** Throws UnknownZone, or Refused if the token is not accepted. */
export async function readStore({
  call,
  callRoot,
  isStoreToken,
}: Pick<Client, 'call' | 'callRoot' | 'isStoreToken'>): Promise<StoreSettings> {
  const { body } = isStoreToken ? await callRoot('GET', '/v1/token') : await call('GET', '')
  const store = isStoreToken ? valueAt(body, ['store']) : body
  const settings = isObject(store) ? store : {}
  // A service without zones of stores counts in UTC.
  const zone = textIn(settings, 'time_zone') ?? 'UTC'
  if (!isTimeZone(zone)) throw new UnknownZone(zone)
  return { zone, language: textIn(settings, 'language') ?? 'EN' }
}

export async function readTimeZone(client: Pick<Client, 'call' | 'callRoot' | 'isStoreToken'>): Promise<string> {
  return (await readStore(client)).zone
}
