import * as z from 'zod/mini'
import { ACCESS_STATUSES } from '../accesses/access-record.ts'
import { BULK_CHANGE_STATES, type Effect, EFFECTS } from './read-bulk-changes.ts'
import { BULK } from './limits.ts'
import { bulkCustomField, bulkFilter, bulkSettings, type toBulkChange } from './bulk-change-json.ts'
import { ofEach } from '../../lib/names.ts'
import { withCommas } from '../../limits.ts'
import { actor } from '../events/event-docs.ts'
import {
  choice,
  type Field,
  flag,
  integer,
  list,
  nullable,
  object,
  optional,
  resource,
  text,
  time,
} from '../../openapi/fields.ts'
import { describeOperations, pageResponse, response } from '../../openapi/operation.ts'
import { describeFields } from '../../openapi/requests.ts'

type BulkChange = ReturnType<typeof toBulkChange>
type Filter = NonNullable<BulkChange['filter']>
type Settings = NonNullable<BulkChange['change']>

const filterProse = {
  product_id: 'The accesses to this product.',
  user_ids: `The accesses of these users, 1 to ${withCommas(BULK.users)}.`,
  custom_field:
    'The accesses of users whose value of the custom field `key` is the text `value`, or a number, a boolean or null that is written like this in JSON, when the access is reached. The token then needs the scope `users:read` as well. A key that the store does not define is 422.',
  status: 'The accesses with this status.',
  in_force: 'The accesses that are in force at the time of the request, or those that are not.',
  due_after: 'The accesses whose due date is this or later. Accesses without a limit do not match.',
  due_before: 'The accesses whose due date is earlier than this. Accesses without a limit do not match.',
}

const customFieldProse = {
  key: 'The key of the custom field.',
  value: 'What the users have in it.',
}

const shownValue =
  'What the users have in it; `[redacted]` for a token without the scope `users:read`, and `[erased]` once the only person who had it has been erased.'

const changeProse = {
  status: 'Opens or closes the accesses.',
  access_due_date: 'The last moment of the accesses. Null removes the limit.',
  never_shorten:
    'If it is true, an access that ends later than `access_due_date`, or never, keeps its date. It needs `access_due_date`.',
  extend_days:
    'How many days later the accesses end, counted from the due date, or from the time of the request if the date has passed, by the calendar of the time zone that the store has at the request: the time of day stays, and the end of a day becomes the end of the new day. An access without a date stays as it is, and so does a date that would move beyond the year 9999. Send at most one of `access_due_date`, `extend_days` and `extend_months`.',
  extend_months:
    'How many months later the accesses end, counted as `extend_days`. A month that has no such day ends with its last day.',
}

const effectsProse: Record<Effect, string> = {
  opened: 'Accesses whose status becomes `with_access`.',
  closed: 'Accesses whose status becomes `without_access`.',
  later: 'Accesses that end later than before.',
  earlier: 'Accesses that end earlier than before.',
  limited: 'Accesses that had no due date and get one.',
  unlimited: 'Accesses that lose their due date.',
}

const filter: Field<Filter> = object<Filter>(
  {
    product_id: optional(text(filterProse.product_id, '4')),
    user_ids: optional(list(text('The id of a user.', '12'), filterProse.user_ids, ['12'])),
    custom_field: optional(
      object(
        {
          key: text(customFieldProse.key, 'department'),
          value: text(shownValue, 'engines'),
        },
        filterProse.custom_field,
      ),
    ),
    status: optional(choice(ACCESS_STATUSES, filterProse.status)),
    in_force: optional(flag(filterProse.in_force)),
    due_after: optional(time(filterProse.due_after)),
    due_before: optional(time(filterProse.due_before)),
  },
  'Which accesses it is about, as sent. Null for a revert.',
)

const settings: Field<Settings> = object<Settings>(
  {
    status: optional(choice(ACCESS_STATUSES, changeProse.status)),
    access_due_date: optional(nullable(time(changeProse.access_due_date))),
    never_shorten: optional(flag(changeProse.never_shorten)),
    extend_days: optional(integer(changeProse.extend_days, 30)),
    extend_months: optional(integer(changeProse.extend_months)),
  },
  'What it changes, as sent. Null for a revert.',
)

const bulkChange = resource<BulkChange>('BulkChange', 'One decision about many accesses.', {
  id: text('The number of the bulk change in its store.', '21'),
  state: choice(
    BULK_CHANGE_STATES,
    'A store runs one bulk change at a time: the others are `queued`. `failed` means that there was no progress for an hour.',
    'queued',
  ),
  filter: nullable(filter),
  change: nullable(settings),
  dry_run: flag('True if it only counts.', false),
  reverts: nullable(text('The bulk change that it takes back. Null if it takes back none.')),
  reverted_by: nullable(text('The newest bulk change that takes this one back. Null if there is none.')),
  progress: integer('How much is done, in percent of the ids that it walks through.', 0),
  matched: integer('How many accesses have matched so far. For a revert, those that the first bulk change changed.', 0),
  changed: integer('How many of them were changed; in a dry run, how many would be.', 0),
  unchanged: integer(
    'How many of them had the new values already. For a revert, those that somebody has changed since.',
    0,
  ),
  effects: object<BulkChange['effects']>(
    ofEach(EFFECTS, (effect) => integer(effectsProse[effect], 0)),
    'What happens to the accesses that change, each as a count so far. An access may count for its status and for its date.',
  ),
  created_at: time('When it was requested.'),
  started_at: nullable(time('When it began to run. Null while it is queued.')),
  finished_at: nullable(time('When it ended. Null until then.')),
  actor,
})

const describedFilter = z.extend(bulkFilter(), {
  custom_field: z.optional(describeFields('custom_field', bulkCustomField(), customFieldProse)),
})

const accepted = { headers: ['Idempotent-Replayed' as const] }

const shown = response('BulkChange', 'The bulk change as it is now.', bulkChange)

export const bulkChanges = describeOperations('Bulk changes', {
  createBulkChange: {
    route: 'POST /v1/stores/{store_id}/bulk_changes',
    summary: 'Change many accesses',
    description:
      'The service carries it out after the response: read the bulk change to follow its progress. Each access that matches when it is reached is changed once, and has an event `product_access.updated` with `bulk_change_id`. An access that is granted meanwhile need not be reached. A store has at most 20 bulk changes that have not ended, dry runs and reverts included; beyond that the response is 422 `limit_reached`. If its token is revoked or its store is suspended, it is canceled within two minutes, before it changes more; what an operator has created runs on. That the token expires does not end it.',
    fields: {
      filter: 'Which accesses are changed: those that match every filter. `{}` matches all accesses of the store.',
      change: 'What is changed. At least one field is required.',
      dry_run: 'If it is true, the bulk change only counts, and does not wait for others. If it is omitted, false.',
    },
    shape: {
      filter: describeFields('filter', describedFilter, filterProse),
      change: describeFields('change', bulkSettings(), changeProse),
    },
    example: { filter: { product_id: '4', in_force: true }, change: { extend_days: 30 } },
    responses: {
      202: response(
        'BulkChangeAccepted',
        'The new bulk change, or for a used key the one of then.',
        bulkChange,
        accepted,
      ),
    },
  },
  listBulkChanges: {
    route: 'GET /v1/stores/{store_id}/bulk_changes',
    summary: 'List the bulk changes of a store',
    description: 'All bulk changes, the newest first.',
    query: { order: '`desc` is the newest first, `asc` the oldest first.' },
    responses: { 200: pageResponse('BulkChangePage', 'A page of bulk changes.', bulkChange) },
  },
  getBulkChange: {
    route: 'GET /v1/stores/{store_id}/bulk_changes/{id}',
    summary: 'Read a bulk change',
    description: 'The bulk change with its progress and its counts so far.',
    responses: { 200: shown },
  },
  cancelBulkChange: {
    route: 'POST /v1/stores/{store_id}/bulk_changes/{id}/cancel',
    summary: 'Cancel a bulk change',
    description:
      'What it has changed stays; `revert` takes it back. Once it has ended, the response is 422 `not_running`.',
    responses: { 200: shown },
  },
  revertBulkChange: {
    route: 'POST /v1/stores/{store_id}/bulk_changes/{id}/revert',
    summary: 'Take a bulk change back',
    description:
      'Creates a bulk change that gives each access the status and the due date that it had before, if both are still what the first bulk change has set. Until that one has ended, once it was reverted, and once its events are no longer kept, the response is 422 `not_done`; a revert that was canceled or has failed may be repeated.',
    responses: {
      202: response(
        'BulkChangeRevertAccepted',
        'The new bulk change, whose `reverts` is the first one, or for a used key the one of then.',
        bulkChange,
        { ...accepted, example: { id: '30', filter: null, change: null, reverts: '21' } },
      ),
    },
  },
})
