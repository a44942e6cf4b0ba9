/** Breaks of days, months and time zones, of extensions and their keys, and of what bulk changes gained with them. */
import type { BreaksOfFiles } from './break.ts'

export const EXTENSION_BREAKS: BreaksOfFiles = {
  'modules/time-zones/extended-date.ts': {
    'a day that has an hour twice ends early': {
      replace: '`target - repeats >= clock.wall_at and target - repeats < clock.wall_until`',
      by: `\`target - repeats - clock.ahead >= clock.at and target - repeats - clock.ahead < clock.until
        order by clock.at\``,
    },
    'a month overflows into the next one': {
      replace: "`min(cast(strftime('%d', ${$date}) as integer), ${_})`",
      by: "`cast(strftime('%d', ${$date}) as integer)`",
    },
  },
  'modules/time-zones/zone-rows.ts': {
    'a store has a time zone without its row': { in: 'upsertZone', replace: 'isNotNull(_)', by: 'sql`0`' },
    'all time zones have the offsets of one': {
      in: 'changesOf',
      replace: '$known.get(_)',
      by: '[...$known.values()][0]',
    },
  },
  'modules/accesses/extend-access.ts': {
    'an access that has ended is extended from its end': {
      replace: '`max(${$due}, ${contextParams.now})`',
      by: '`max(${$due}, 0)`',
    },
  },
  'modules/accesses/routes.ts': {
    'a key replays the extension of another access': {
      replace: 'fingerprinted: { extends: _, body: $body }',
      by: 'fingerprinted: { body: $body }',
    },
  },
  'change/update-record.ts': {
    'an extension does not claim its key': { drop: 'claim: $key && insertClaim(_)' },
    'extensions with equal bodies have one response': {
      in: 'keyedUpdateOf',
      replace: 'claimed: _ ?? $row.id',
      by: 'claimed: $row.id',
    },
  },
  'http/middleware/if-match.ts': {
    'a weak tag is another state': {
      replace: String.raw`/^(?:W\/)?"([1-9]\d{0,9})-([1-9]\d{0,9})"$/`,
      by: String.raw`/^"([1-9]\d{0,9})-([1-9]\d{0,9})"$/`,
    },
  },
  'modules/bulk-changes/reached-accesses.ts': {
    'a bulk change counts in the time zone that the store has when it runs': {
      replace: 'orm.select({ zone: $zoned.time_zone }).from($zoned).where(_)',
      by: 'sql`(select s.time_zone from stores s where ${storeIn(sql`s.id`)} = ${storeIn(chunkParams.bulk_change)})`',
    },
    'a chunk forgets a filter': { drop: 'or(isNull(_.filter_custom_field_key), exists(_))' },
    'never_shorten shortens': { replace: 'or(isNull($due), gt($due, _))', by: 'isNull($due)' },
  },
  'modules/bulk-changes/process-chunk.ts': {
    'a bulk change outlives its token': { drop: 'orphaned: cancelOrphaned(_)' },
    'a date that stays counts as later': { replace: '`${$next} > ${$due}`', by: '`${$next} >= ${$due}`' },
  },
  'modules/bulk-changes/end-stopped.ts': {
    'a suspension cancels nothing': { replace: 'or(exists($revoked), exists(_))', by: 'exists($revoked)' },
    'a token that expires takes its bulk changes along': {
      replace: 'isNotNull(access_tokens.revoked_at)',
      by: 'or(isNotNull(access_tokens.revoked_at), sql`${access_tokens.expires_at} <= ${contextParams.now}`)',
    },
  },
  'modules/crons/minutely.ts': {
    'a bulk change that waits outlives its token': {
      replace: 'const $orphaned = await cancelAllOrphaned(_, _)',
      by: 'const $orphaned = { stores: [], endpoints: [], count: 0, error: undefined }',
    },
  },
  'modules/bulk-changes/insert-bulk-change.ts': {
    'a store has one bulk change too many': {
      in: 'hasTooMany',
      replace: '$all.offset(BULK.unfinished - 1)',
      by: '$all.offset(BULK.unfinished)',
    },
  },
}
