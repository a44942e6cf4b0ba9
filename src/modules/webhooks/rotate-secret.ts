import { getTableColumns } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { webhook_endpoints, type WebhookEndpoint } from '../../db/schema.ts'
import { params } from '../../db/statement.ts'
import { HOUR_MS } from '../../limits.ts'
import type { RequestContext } from '../../change/request.ts'
import { updateOf } from '../../change/update-record.ts'
import { rotationOf } from '../../auth/secret-rotation.ts'
import { newSecret } from './secrets.ts'

const secretParams = params('secret')

const rotation = rotationOf({ current: webhook_endpoints.secret, older: webhook_endpoints.older_secrets })

const rotationParams = { ...secretParams, ...rotation.params }

const update = updateOf(rotationParams, () => ({
  table: webhook_endpoints,
  type: 'webhook_endpoint.updated',
  rules: [rotation.tooManySecrets],
  newValues: { secret: secretParams.secret },
  alsoSet: { older_secrets: rotation.olderAfter },
  record: getTableColumns(webhook_endpoints),
}))

interface SecretRotation {
  number: number
  /** For how long the replaced secret signs as well. 0 ends every older secret at once. */
  overlap_hours: number
}

interface Rotated {
  endpoint: WebhookEndpoint
  /** The new secret. */
  secret: string
}

/** Throws the errors of the authorization, `not_found` and `too_many_secrets`. */
export async function rotateSecret(
  db: Db,
  context: RequestContext,
  { number, overlap_hours }: SecretRotation,
): Promise<Rotated> {
  const secret = newSecret()
  const values = { secret, overlap_ms: overlap_hours * HOUR_MS }
  return { endpoint: await update(db, context, { number }, values), secret }
}
