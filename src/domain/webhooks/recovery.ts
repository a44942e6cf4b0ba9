/** What a success does to the state of an endpoint, whether it is that of a delivery, a redelivery or a test. */
import { and, gt, isNotNull, or, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { webhook_endpoints } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { serviceContext } from '../change/context.ts'
import { endpointParams, isEndpoint } from './polled-endpoint.ts'

const { failures, cursor, probe_at, resumed_after, resumed_until } = webhook_endpoints

/** If the endpoint was down, everything that waits is due at once. */
export const columnsAfterSuccess = {
  failures: 0,
  failing_since: null,
  probe_at: null,
  probes: 0,
  resumed_after: sql`iif(${probe_at} is null, ${resumed_after}, 0)`,
  resumed_until: sql`iif(${probe_at} is null, ${resumed_until}, ${cursor})`,
}

/** True unless the endpoint is in this state already. */
export const hasFailed = or(gt(failures, 0), isNotNull(probe_at))

const setRecovered = statement(endpointParams, () =>
  orm.update(webhook_endpoints).set(columnsAfterSuccess).where(and(isEndpoint, hasFailed)),
)

/** Records that a test has succeeded. */
export async function recordSuccessfulTest(db: Db, endpoint_id: number): Promise<void> {
  const shared = serviceContext(endpoint_id, Date.now())
  await batch(db, { health: setRecovered({ endpoint_id }) }, { retry: 'idempotent', shared })
}
