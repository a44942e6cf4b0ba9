import { sql } from 'drizzle-orm'
import { type Db, type Params, statement } from '../../db/batch.ts'
import { idIn } from '../../db/ids.ts'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { type Call, type CallValues, callValues } from '../caller.ts'
import { changeOf, fieldValues, recordValues, sendChange } from '../changes.ts'
import { gate } from '../gate.ts'
import { type EndpointRecord, findEndpoint } from './endpoints.ts'

const enable = changeOf({ table: webhook_endpoints, type: 'webhook_endpoint.enabled', fields: ['disabled_at'] })

/**
 * Whether it was disabled or not: what waits is due now, and the failures are forgotten. The times of the deliveries
 * stay as they are, however many there are: it is the endpoint's clock that is put forward, beyond the last of them.
 */
const resume = statement((p: Params<CallValues & { number: number }>, orm) => {
  const { id, ahead_ms, failures } = webhook_endpoints
  const last = sql`(select max(d.next_attempt_at) from ${webhook_deliveries} d
    where d.endpoint_id = ${id} and d.lease is null and d.next_attempt_at is not null)`
  return orm
    .update(webhook_endpoints)
    .set({
      failures: 0,
      failing_since: null,
      ahead_ms: sql`max(${ahead_ms}, coalesce(${last} - ${p.now}, 0))`,
    })
    .where(
      sql`${id} = ${idIn(p.store, p.number)} and ${gate(p)} is null
        and (${failures} > 0 or ${last} > ${p.now} + ${ahead_ms})`,
    )
})

/** Goes on where the endpoint was disabled, at once: with what waits and with all that has happened since. Throws `not_found`. */
export async function enableEndpoint(
  db: Db,
  { call, number }: { call: Call; number: number },
): Promise<EndpointRecord> {
  const values = {
    ...callValues(call),
    ...recordValues(number),
    ...fieldValues(['disabled_at'], { disabled_at: null }),
  }
  const steps = { ...enable(values), resume: resume(values) }
  const row = await sendChange(db, call, steps, findEndpoint(values))
  db.endpointsToWake.add(row.id)
  return row
}
