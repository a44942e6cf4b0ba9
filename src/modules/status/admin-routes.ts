import { version } from '../../../package.json'
import { formatNullableDateTime } from '../../lib/date-time.ts'
import { retentionDays } from '../events/retention.ts'
import { readStatus, type Status } from './read-status.ts'
import { Hono } from '../../http/hono.ts'
import { examineInTurn } from '../../http/middleware/turns.ts'
import { noQuery } from '../../http/middleware/validate.ts'
import { contextOf } from '../../http/request-context.ts'

export function toStatus({ database, objects, webhooks, stores, jobs }: Status) {
  return {
    version,
    database,
    objects: { ...objects, largest: objects.largest.map(({ slug, bytes }) => ({ store_id: slug, bytes })) },
    webhooks: {
      pending: webhooks.pending,
      oldest_pending_at: formatNullableDateTime(webhooks.oldest_pending_at),
      failing_endpoints: webhooks.failing,
      down_endpoints: webhooks.down,
      disabled_endpoints: webhooks.disabled,
    },
    stores,
    jobs: {
      purge_backlog: jobs.purge_backlog,
      last_hourly_at: formatNullableDateTime(jobs.last_hourly_at),
      last_minutely_at: formatNullableDateTime(jobs.last_minutely_at),
    },
  }
}

export const status = new Hono().get('/status', noQuery(), async (c) => {
  const settings = { retentionDays: retentionDays(c.env.EVENT_RETENTION_DAYS) }
  return c.json(toStatus(await examineInTurn(c, () => readStatus(c.get('db'), contextOf(c), settings))))
})
