import { and, exists, gt, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import { recordParams, recordValues } from '../change/record.ts'
import { updateOf } from '../change/update.ts'
import { endpointColumns, type EndpointRecord } from './endpoints.ts'
import { probeIsDue, probeNow } from './endpoint-state.ts'
import { isOfEndpoint, isWaiting } from './pending-deliveries.ts'

const { cursor, probe_at, probes, resumed_after, resumed_until } = webhook_endpoints

function selectThoseThatWait() {
  return orm
    .select({ event_id: webhook_deliveries.event_id })
    .from(webhook_deliveries)
    .where(and(isOfEndpoint, isWaiting, gt(webhook_deliveries.next_attempt_at, contextParams.now)))
}

const enabling = updateOf(recordParams, () => {
  const hasWaiting = exists(selectThoseThatWait())
  return {
    table: webhook_endpoints,
    type: 'webhook_endpoint.enabled',
    after: {
      disabled_at: sql`null`,
      // Otherwise a failure would disable the endpoint again at once.
      failures: sql`0`,
      failing_since: sql`null`,
      probe_at: probeIsDue,
      probes: sql`iif(${probe_at} is null, ${probes}, 0)`,
      resumed_after: sql`iif(${hasWaiting}, 0, ${resumed_after})`,
      resumed_until: sql`iif(${hasWaiting}, ${cursor}, ${resumed_until})`,
    },
    alsoSet: { probe_at: probeNow },
  }
})

const selectEnabled = statement(recordParams, () =>
  enabling.selectRequest({ ...resultOf(enabling.rules()), ...endpointColumns() }),
)

/**
 * Resumes the deliveries at once, whether the endpoint was disabled or is failing: those that wait, and all events since.
 * An endpoint that is down, or was when it was disabled, is probed first. Throws the errors of the authorization and `not_found`.
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
  db.endpointsToWake.add(endpoint.id)
  return endpoint
}
