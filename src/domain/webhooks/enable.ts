import { sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { type Call, callValues } from '../change/context.ts'
import { changeOf, fieldValues, recordValues, sendChange } from '../change/changes.ts'
import { type EndpointRecord, selectEndpoint } from './endpoints.ts'
import { wakeLater } from './notify.ts'

const FIELDS = ['disabled_at', 'failures', 'failing_since', 'ahead_ms'] as const

/** When the last of the deliveries that wait is to be sent. */
const lastAttempt = sql`(select max(d.next_attempt_at) from ${webhook_deliveries} d
  where d.endpoint_id = ${webhook_endpoints.id} and d.lease is null and d.next_attempt_at is not null)`

const enableSteps = changeOf({
  table: webhook_endpoints,
  type: 'webhook_endpoint.enabled',
  fields: FIELDS,
  // The deliveries stay as they are, however many wait: the endpoint's clock is put forward beyond the last of them.
  // What is given for it is the present time.
  computed: { ahead_ms: (now) => sql`max(${webhook_endpoints.ahead_ms}, coalesce(${lastAttempt} - ${now}, 0))` },
})

/**
 * Goes on at once, whether the endpoint was disabled or fails: with what waits and with all that has happened since.
 * Throws `not_found`.
 */
export async function enableEndpoint(
  db: Db,
  { call, number }: { call: Call; number: number },
): Promise<EndpointRecord> {
  const fields = fieldValues(FIELDS, { disabled_at: null, failures: 0, failing_since: null, ahead_ms: call.now })
  const values = { ...callValues(call), ...recordValues(number), ...fields }
  const row = await sendChange(db, { call, steps: enableSteps(values), found: selectEndpoint(values) })
  wakeLater(db, [row.id])
  return row
}
