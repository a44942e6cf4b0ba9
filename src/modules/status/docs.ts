import { version } from '../../../package.json'
import type { toStatus } from './admin-routes.ts'
import { DATABASE } from '../../limits.ts'
import { bytes, integer, list, nullable, object, resource, text, time } from '../../openapi/fields.ts'
import { describeOperations, response } from '../../openapi/operation.ts'

type Status = ReturnType<typeof toStatus>

const status = resource<Status>('Status', 'The state of the service.', {
  version: text('The version of the service.', version),
  database: object<Status['database']>(
    {
      bytes: bytes('The size of the database, in bytes.', 73_400_320),
      limit_bytes: bytes('The maximum size of the database, in bytes.', DATABASE.maxBytes),
    },
    'The database. Once it is full, nothing can be stored.',
  ),
  objects: object<Status['objects']>(
    {
      total: integer('How many stores have a database of their own.', 2),
      bytes: bytes('The size of all these databases, in bytes.', 9_437_184),
      largest: list(
        object<Status['objects']['largest'][number]>(
          {
            store_id: text('The id of the store.', 'academy'),
            bytes: bytes('The size of its database, in bytes.', 8_388_608),
          },
          'A store with a database of its own.',
        ),
        'The five largest, the largest first. Each can have as many bytes as `database`.',
      ),
    },
    'The databases of stores with the place `own`, as they have last reported them: at most an hour ago.',
  ),
  webhooks: object<Status['webhooks']>(
    {
      pending: integer(
        'How many deliveries are pending, including those for endpoints that are down. Counting stops at a limit.',
        3,
      ),
      oldest_pending_at: nullable(
        time(
          'When the oldest pending event was committed. Null if no delivery is pending.',
          '2026-11-21T09:30:00.000Z',
        ),
      ),
      failing_endpoints: integer('For how many endpoints the last attempt failed, without those that are down.', 1),
      down_endpoints: integer('How many endpoints failed 20 times in a row and are only probed.', 0),
      disabled_endpoints: integer('How many endpoints were disabled because they failed.', 0),
    },
    'Deliveries to webhook endpoints, for all stores.',
  ),
  stores: object<Status['stores']>(
    { total: integer('How many stores there are.', 12), suspended: integer('How many stores are suspended.', 1) },
    'The stores.',
  ),
  jobs: object<Status['jobs']>(
    {
      purge_backlog: integer(
        'How many rows wait to be deleted by the hourly job: at most 5,000 of each kind are counted. It is above 0 between two runs, and a problem only if it stays at the limit.',
        120,
      ),
      last_hourly_at: nullable(time('When the hourly job ran last. Null if it never did.', '2026-11-21T09:07:00.000Z')),
      last_minutely_at: nullable(
        time('When the every-minute job ran last. Null if it never did.', '2026-11-21T09:30:00.000Z'),
      ),
    },
    'The scheduled jobs.',
  ),
})

const health = resource<{ status: string }>('Health', 'The service and its database respond.', {
  status: text('`ok`.', 'ok'),
})

export const service = describeOperations('Service', {
  checkHealth: {
    route: 'GET /health',
    summary: 'Check whether the service and its database respond',
    description: 'For monitoring, without a token. Each instance queries the database at most once a second.',
    responses: { 200: response('Health', 'Both respond.', health) },
  },
  getStatus: {
    route: 'GET /admin/status',
    summary: 'Read the state of the database, the webhooks and the jobs',
    description: 'The numbers that an operator monitors, for all stores together.',
    responses: { 200: response('Status', 'The state of the service now.', status) },
  },
})
