/**
 * Every table. A record of a store has the id `store number × 2^32 + n` (src/db/ids.ts), so that the rows of a store are
 * stored next to each other. Properties have the names of their columns and no column has a decoder, because rows are used
 * as the database returns them. Times are milliseconds since the epoch. Every index costs a billed row per write, so each
 * one serves a query.
 */
export { stores, custom_fields, time_zones, type Store, type CustomField } from './schema/stores.ts'
export { events, type Event } from './schema/events.ts'
export { access_tokens, type AccessToken } from './schema/access-tokens.ts'
export { users, type User } from './schema/users.ts'
export { products, product_accesses, type Product, type ProductAccess } from './schema/products.ts'
export { idempotency_keys, fencing_tokens } from './schema/requests.ts'
export { webhook_endpoints, type WebhookEndpoint } from './schema/webhooks.ts'
export { bulk_changes, type BulkChange } from './schema/bulk-changes.ts'
export { store_stats, day_stats } from './schema/statistics.ts'
export { jobs } from './schema/jobs.ts'
export { directory, type DirectoryRow } from './schema/directory.ts'
