/** Breaks of routes, of what is sent and received, of the limits and of the ways to databases. */
import type { BreaksOfFiles } from './break.ts'

export const EDGE_BREAKS: BreaksOfFiles = {
  'modules/operators/admin-routes.ts': {
    'an admin does what only the root may': {
      replace: "$routes.delete('/operators/:id', requireRoot(), ...$handlers)",
      by: "$routes.delete('/operators/:id', ...$handlers)",
    },
  },
  'db/batch.ts': {
    'a batch has no deadline': {
      replace: 'Promise.race([$send($database, $steps, $options), _])',
      by: '$send($database, $steps, $options)',
    },
    'a later attempt looks for its event among the newest only': {
      in: 'LOOKBACK',
      replace: 'laterAttempt: _',
      by: 'laterAttempt: 1',
    },
  },
  'db/places.ts': {
    "an object's batch goes to D1": {
      replace: 'objectDatabase(_, () => _($env, ..._))',
      by: '{ ...d1Database($env.DB), holds: () => true }',
    },
  },
  'http/middleware/bearer.ts': {
    'the office changes everything': {
      in: 'requiredRole',
      replace: '_ !== undefined && $scopes.includes(_)',
      by: '$scopes.length > 0',
    },
    'a replaced secret uses up the limit of the current one': { drop: '`:${_.slice(0, 16)}`' },
  },
  'modules/users/passwords/password-quota.ts': {
    'any password is right': { replace: 'isPasswordOf(..._)', by: 'Promise.resolve(true)' },
  },
  'http/respond/create.ts': {
    'a stored response is another one': {
      replace: 'writeReplay(...$replay, $text)',
      by: 'writeReplay(...$replay, `${$text} `)',
    },
    'a replay has the ETag of now': {
      replace: "$send(...$to, $stored ?? $current, { 'Idempotent-Replayed': 'true' })",
      by: "$send(...$to, { ...($stored ?? $current), etag: $current.etag }, { 'Idempotent-Replayed': 'true' })",
    },
    'a replay of an EU store is stored in KV': {
      replace: 'jurisdictionOf($store) === null',
      by: 'jurisdictionOf($store) !== undefined',
    },
  },
  'modules/bulk-changes/routes.ts': {
    'a key belongs to the revert of any bulk change': {
      replace: 'fingerprinted: { reverts: _ }',
      by: 'fingerprinted: {}',
    },
  },
  'modules/status/health.ts': {
    'requests share a promise': {
      in: 'checkHealth',
      replace: 'return $query($db)',
      by: `return (checkHealth.shared ??= $query($db).finally(() => { checkHealth.shared = undefined }))
      if (checkHealth.shared) return checkHealth.shared`,
    },
  },
  'modules/tokens/routes.ts': {
    'an older secret of a token gives it a new one': { drop: 'requireCurrentSecret()' },
  },
  'modules/users/routes.ts': {
    'a wrong scope': { replace: "requireScope('users:erase')", by: "requireScope('users:write')" },
  },
  'modules/users/public-routes.ts': {
    'v3 accepts a blank external_id': {
      in: 'createUserBody',
      replace: 'external_id: filledText($length)',
      by: 'external_id: anyText($length)',
    },
  },
  'modules/csv-files/csv.ts': {
    'a spreadsheet in Portuguese with commas': {
      in: 'spreadsheetCsv',
      replace: "$isSpanish || _ === 'PT'",
      by: '$isSpanish',
    },
    'a CSV file has a text like a negative number without quotes': {
      replace: String.raw`/^[\s\d"[{tfn-]/`,
      by: String.raw`/^[\s\d"[{tfn]/`,
    },
    'a formula after a comma is not neutralized': {
      replace: String.raw`/(?<=^|[\n\r;\t,])(?=[=+\-@\t\r])/g`,
      by: String.raw`/(?<=^|[\n\r;\t])(?=[=+\-@\t\r])/g`,
    },
  },
  'modules/events/event-json.ts': {
    'an event of a nested access has a request id of its own': {
      replace: String.raw`/(?:\/\d+)+$/`,
      by: String.raw`/\/\d+$/`,
    },
  },
  'modules/webhooks/deliveries/message.ts': {
    'a webhook is not the event': {
      in: 'toMessage',
      replace: 'toEvent($event, $reader)',
      by: 'toEvent({ ...$event, created_at: $event.created_at + 1000 }, $reader)',
    },
  },
}
