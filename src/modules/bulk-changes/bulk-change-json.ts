import * as z from 'zod/mini'
import { formatDateTime, formatNullableDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import { type BulkChangeRecord, EFFECTS } from './read-bulk-changes.ts'
import { lazy } from '../../lib/lazy.ts'
import { ofEach } from '../../lib/names.ts'
import { EXTENSION, LENGTH, withCommas } from '../../limits.ts'
import { BULK } from './limits.ts'
import { toActor } from '../events/event-json.ts'
import type { Reader } from '../../change/request.ts'
import {
  anyText,
  clearable,
  customFieldKey,
  dateTimeText,
  integer,
  optional,
  recordId,
  refineObject,
  trueOrFalse,
} from '../../formats/values.ts'
import { accessStatus } from '../accesses/access-schemas.ts'
import { listQuery, listOrder } from '../../formats/pages.ts'

const userIds = lazy(() =>
  z
    .array(recordId(), { error: 'must be a list of ids' })
    .check(
      z.minLength(1, { error: 'must name a user' }),
      z.maxLength(BULK.users, { error: `must be at most ${withCommas(BULK.users)} users` }),
    ),
)

export const bulkCustomField = lazy(() =>
  z.strictObject(
    { key: customFieldKey(), value: anyText(LENGTH.customFieldValue) },
    { error: 'must be an object with key and value' },
  ),
)

/** A filter that is null is rejected: taken as omitted, it would match every access of the store. */
export const bulkFilter = lazy(() =>
  z.strictObject(
    {
      product_id: z.optional(recordId()),
      user_ids: z.optional(userIds()),
      custom_field: z.optional(bulkCustomField()),
      status: z.optional(accessStatus()),
      in_force: z.optional(trueOrFalse()),
      due_after: z.optional(dateTimeText()),
      due_before: z.optional(dateTimeText()),
    },
    { error: 'must be an object' },
  ),
)

export const bulkSettings = lazy(() =>
  z
    .strictObject(
      {
        status: z.optional(accessStatus()),
        access_due_date: clearable(dateTimeText()),
        never_shorten: z.optional(trueOrFalse()),
        extend_days: z.optional(integer(1, EXTENSION.days)),
        extend_months: z.optional(integer(1, EXTENSION.months)),
      },
      { error: 'must be an object' },
    )
    .check(
      refineObject(({ never_shorten, ...fields }) => never_shorten === true || isAnySent(Object.values(fields)), {
        error: 'must set status, access_due_date, extend_days or extend_months',
      }),
      refineObject(({ access_due_date, never_shorten }) => never_shorten !== true || access_due_date !== undefined, {
        path: ['never_shorten'],
        error: 'needs access_due_date',
      }),
      refineObject(({ access_due_date, extend_days }) => extend_days === undefined || !isAnySent([access_due_date]), {
        path: ['extend_days'],
        error: 'must not be sent together with access_due_date',
      }),
      refineObject(
        ({ access_due_date, extend_days, extend_months }) =>
          extend_months === undefined || !isAnySent([access_due_date, extend_days]),
        {
          path: ['extend_months'],
          error: 'must not be sent together with access_due_date or extend_days',
        },
      ),
    ),
)

const isAnySent = (values: readonly unknown[]) => values.some((value) => value !== undefined)

export const createBulkChangeBody = lazy(() =>
  z.strictObject({ filter: bulkFilter(), change: bulkSettings(), dry_run: optional(trueOrFalse()) }),
)

export const listBulkChangesQuery = lazy(() => z.object({ order: listOrder(), ...listQuery().shape }))

export function toBulkChange(row: BulkChangeRecord, reader: Reader) {
  const isRevert = row.reverts !== null
  return {
    id: String(numberOf(row.id)),
    state: row.state,
    filter: isRevert ? null : toFilter(row),
    change: isRevert ? null : toChange(row),
    dry_run: row.dry_run === 1,
    reverts: row.reverts === null ? null : String(numberOf(row.reverts)),
    reverted_by: row.reverted_by === null ? null : String(numberOf(row.reverted_by)),
    progress: progressOf(row),
    matched: row.matched,
    changed: row.changed,
    unchanged: row.matched - row.changed,
    effects: ofEach(EFFECTS, (effect) => row[effect]),
    created_at: formatDateTime(row.created_at),
    started_at: formatNullableDateTime(row.started_at),
    finished_at: formatNullableDateTime(row.finished_at),
    actor: toActor(row, reader),
  }
}

/** Only what was sent. */
function toFilter(row: BulkChangeRecord) {
  const userNumbers: number[] | undefined = row.filter_user_ids === null ? undefined : JSON.parse(row.filter_user_ids)
  return {
    product_id: row.filter_product_id === null ? undefined : String(numberOf(row.filter_product_id)),
    user_ids: userNumbers?.map(String),
    custom_field: toCustomField(row),
    status: row.filter_status ?? undefined,
    in_force: row.filter_in_force === null ? undefined : row.filter_in_force === 1,
    due_after: row.filter_due_after === null ? undefined : formatDateTime(row.filter_due_after),
    due_before: row.filter_due_before === null ? undefined : formatDateTime(row.filter_due_before),
  }
}

function toCustomField({ filter_custom_field_key: key, filter_custom_field_value: value }: BulkChangeRecord) {
  return key === null || value === null ? undefined : { key, value }
}

function toChange(row: BulkChangeRecord) {
  return {
    status: row.change_status ?? undefined,
    access_due_date: row.change_sets_due_date === 1 ? formatNullableDateTime(row.change_access_due_date) : undefined,
    never_shorten: row.change_never_shorten === 1 ? true : undefined,
    extend_days: row.change_extend_days ?? undefined,
    extend_months: row.change_extend_months ?? undefined,
  }
}

/** In percent of the ids that it walks through. */
function progressOf({ state, starts_after, cursor, ends_at }: BulkChangeRecord): number {
  if (state === 'done') return 100
  return ends_at === starts_after ? 0 : Math.floor((100 * (cursor - starts_after)) / (ends_at - starts_after))
}
