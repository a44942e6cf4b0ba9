import { and, eq, isNotNull, isNull, max, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import { recordParams, recordValues } from '../change/record.ts'
import { updateOf } from '../change/update.ts'
import { endpointColumns, type EndpointRecord } from './endpoints.ts'

/** The latest time at which a delivery of the endpoint is to be sent. */
const lastAttempt = orm
  .select({ at: max(webhook_deliveries.next_attempt_at) })
  .from(webhook_deliveries)
  .where(
    and(
      eq(webhook_deliveries.endpoint_id, webhook_endpoints.id),
      isNull(webhook_deliveries.lease),
      isNotNull(webhook_deliveries.next_attempt_at),
    ),
  )

const enabling = updateOf(recordParams, () => ({
  table: webhook_endpoints,
  type: 'webhook_endpoint.enabled',
  after: {
    disabled_at: sql`null`,
    failures: sql`0`,
    failing_since: sql`null`,
    // The clock of the endpoint moves forward beyond the last delivery that waits. Writing to the deliveries instead
    // would cost up to half a million rows.
    ahead_ms: sql`max(${webhook_endpoints.ahead_ms}, coalesce(${lastAttempt} - ${contextParams.now}, 0))`,
  },
}))

const selectEnabled = statement(recordParams, () =>
  enabling.selectRequest({ ...resultOf(enabling.rules()), ...endpointColumns }),
)

/**
 * Resumes the deliveries at once, whether the endpoint was disabled or is failing: those that wait, and all events since.
 * Throws the errors of the authorization and `not_found`.
 */
export async function enableEndpoint(db: Db, context: RequestContext, number: number): Promise<EndpointRecord> {
  const values = recordValues({ number })
  const result = await commit(db, context, {
    event: enabling.insertEvent(values),
    endpoint: enabling.updateRecord(values),
    result: selectEnabled(values),
  })
  const endpoint = requireRecord<EndpointRecord>(result)
  // `commit` notes it only if something has changed. If nothing has, its last message may have been lost.
  db.endpointsToNotify.add(endpoint.id)
  return endpoint
}
