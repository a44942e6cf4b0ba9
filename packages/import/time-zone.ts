/** The time zone of the store, in which the days of a file are. */
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

/** Throws UnknownZone, or Refused if the token is not accepted. */
export async function readTimeZone({
  call,
  callRoot,
  isStoreToken,
}: Pick<Client, 'call' | 'callRoot' | 'isStoreToken'>): Promise<string> {
  const { body } = isStoreToken ? await callRoot('GET', '/v1/token') : await call('GET', '')
  const store = isStoreToken ? valueAt(body, ['store']) : body
  // A service without zones of stores counts in UTC.
  const zone = (isObject(store) ? textIn(store, 'time_zone') : undefined) ?? 'UTC'
  if (!isTimeZone(zone)) throw new UnknownZone(zone)
  return zone
}
