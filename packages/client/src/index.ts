export { type Detail, type ErrorCode, RegistrarError } from './error.ts'
export type { FollowOptions } from './feed.ts'
export { createRegistrar, type Registrar, type RegistrarOptions } from './registrar.ts'
export { type Retry, type RetryOptions, sleep } from './retries.ts'
export type { paths } from './schema.ts'
export type { Schemas } from './types.ts'
export {
  type SignOptions,
  signWebhook,
  type StoreEvent,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.ts'
