import type { ShownSecret } from '../../parts/secret-once.tsx'
import type { Words } from '../../words/index.tsx'

const SAMPLE = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.SECRET)
const event = webhook.verify(body, request.headers)`

export function shownSecret(secret: string, title: string, { webhooks }: Words): ShownSecret {
  return {
    title,
    label: webhooks.secret,
    secret,
    note: webhooks.verify,
    sample: { label: webhooks.verifySample, text: SAMPLE },
  }
}
