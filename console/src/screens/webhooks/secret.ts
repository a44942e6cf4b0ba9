import type { Shown } from '../../parts/secret-once.tsx'
import type { Words } from '../../words/index.tsx'

const SAMPLE = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.SECRET)
// Throws when the text of the body and the headers do not fit the secret.
const event = webhook.verify(body, request.headers)`

/** An endpoint's secret, with how its receiver uses it. */
export function shownSecret(secret: string, title: string, { webhooks }: Words): Shown {
  return {
    title,
    label: webhooks.secret,
    secret,
    note: webhooks.verify,
    sample: { label: webhooks.verifySample, text: SAMPLE },
  }
}
