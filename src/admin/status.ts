import { version } from '../../package.json'
import type { AppEnv } from '../context.ts'
import { formatNullableDateTime } from '../date-time.ts'
import { readStatus, type Status } from '../domain/status.ts'
import { Hono } from '../http/hono.ts'
import { noQuery } from '../http/validate.ts'
import { contextOf } from '../http/request-context.ts'

export function toStatus({ database, webhooks, stores }: Status) {
  return {
    version,
    database,
    webhooks: {
      pending: webhooks.pending,
      oldest_pending_at: formatNullableDateTime(webhooks.oldest_pending_at),
      failing_endpoints: webhooks.failing,
      down_endpoints: webhooks.down,
      disabled_endpoints: webhooks.disabled,
    },
    stores,
  }
}

export const status = new Hono<AppEnv>().get('/status', noQuery(), async (c) =>
  c.json(toStatus(await readStatus(c.get('db'), contextOf(c)))),
)
