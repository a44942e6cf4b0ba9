/** Breaks of webhooks and of the every-minute job. */
import type { BreaksOfFiles } from './break.ts'

export const WEBHOOK_BREAKS: BreaksOfFiles = {
  'modules/crons/minutely.ts': {
    'the every-minute job wakes no endpoint': {
      replace: 'const $endpoints = await listNeglected(...$of); await wakeEndpoints(_, $endpoints)',
      by: 'const $endpoints = await listNeglected(...$of)',
    },
    'nobody wakes a bulk change that has stopped': { drop: 'await wakeBulkChanges(..._)' },
  },
  'modules/webhooks/deliveries/deliverer.ts': {
    'no alarm is set while an endpoint works': { in: 'work', drop: 'this.#setAlarm({ isWorking: true })' },
    'the flag of a wake-up is cleared after the trip': {
      replace: 'this.#stops = 0',
      by: 'this.#stops = 0\nthis.#isWoken = false',
    },
    'what changes during a trip is not reported': {
      replace: 'this.#stops = 0',
      by: 'this.#stops = 0\nthis.#isDirty = false',
    },
    'an object does not see that delivery is resumed': {
      in: 'noticeChanges',
      replace: '$health.resumed_by !== _.resumed_by',
      by: '$health.resumed_by < 0',
    },
    'an invocation leaves the rest to nobody': {
      replace: 'this.#options.setAlarm(Date.now())',
      by: 'this.#options.setAlarm(Date.now() + WEBHOOK.idleMs)',
    },
    'seven requests in flight': {
      replace: '$isUp ? WEBHOOK.inFlight : 1',
      by: '$isUp ? WEBHOOK.inFlight + 1 : 1',
    },
    'an endpoint that is down gets everything': {
      replace: '$isUp ? WEBHOOK.inFlight : 1',
      by: 'WEBHOOK.inFlight',
    },
    'an endpoint that is enabled does not resume': { drop: '_.resume(_)' },
  },
  'modules/webhooks/deliveries/outgoing.ts': {
    'the cursor passes what is in flight': { in: 'cursorAfter', replace: '_.map((_) => _ - 1)', by: '[]' },
    'the cursor passes what was read and not sent': {
      in: 'cursorAfter',
      replace: '$unsent ? [$unsent.id - 1] : []',
      by: '[]',
    },
  },
  'modules/webhooks/deliveries/report-and-read.ts': {
    'a report without its condition': {
      replace: 'orm.update(webhook_endpoints).set($report).where(and($isEndpoint, _, $differs))',
      by: 'orm.update(webhook_endpoints).set($report).where(and($isEndpoint, $differs))',
    },
    'a restored cursor is overwritten': { drop: 'eq(webhook_endpoints.cursor, _.seen_cursor)' },
    'an event of a type that was not asked for': { replace: 'or(isNull(_.types), hasWord(..._))', by: 'sql`1`' },
  },
  'modules/webhooks/endpoints.ts': {
    'an endpoint stays disabled': { drop: 'disabled_at: sql`null`' },
    'an endpoint that is enabled is not woken': {
      replace: '_.endpointsToWake.add(_); return $endpoint',
      by: 'return $endpoint',
    },
  },
  'modules/webhooks/deliveries/delivery.ts': {
    'a failed delivery is not retried': {
      in: 'afterAttempt',
      replace: 'next_attempt_at: _ + _',
      by: 'next_attempt_at: null',
    },
    'a redelivery that failed keeps its old schedule': {
      in: 'afterRedelivery',
      replace: `$delivery.next_attempt_at === null
        ? { ...$attempted, state: 'pending', retries: 1, next_attempt_at: $now + $delay(0) } : $waiting`,
      by: `$delivery.next_attempt_at === null
        ? { ...$attempted, state: 'pending', next_attempt_at: $now + $delay($delivery.retries) } : $waiting`,
    },
    'a probe uses up the last retry': {
      in: 'afterAttempt',
      replace: 'if ($isProbe) return $due; if ($delivery.retries >= WEBHOOK.retries && $isEnabled) return $failed',
      by: `if ($isProbe && $delivery.retries < WEBHOOK.retries) return $due
        if ($delivery.retries >= WEBHOOK.retries && $isEnabled) return $failed`,
    },
    'a failure in flight undoes a redelivery': {
      in: 'afterAttempt',
      replace: "$isSuccess || _.state === 'delivered'",
      by: '$isSuccess',
    },
  },
  'modules/webhooks/deliveries/delivery-log.ts': {
    'an endpoint that has recovered does not resume': {
      in: 'recover',
      replace: '$health.probe_at === null',
      by: '$health.probe_at !== null',
    },
  },
  'modules/webhooks/health.ts': {
    'an endpoint never goes down': {
      in: 'afterFailure',
      replace: '$failed.failures < WEBHOOK.downAfter',
      by: '$failed.failures > 0',
    },
    'a new URL continues the schedule of probes': { in: 'afterResume', drop: 'probes: 0' },
  },
  'modules/webhooks/secrets.ts': {
    'older secrets do not sign': { in: 'signaturesOf', replace: '[$secret, ..._]', by: '[$secret]' },
    'a replaced webhook secret signs forever': {
      in: 'signaturesOf',
      replace: '$now < ($expires ?? 0)',
      by: '$now / 1000 < ($expires ?? 0)',
    },
  },
  'modules/webhooks/deliveries/send.ts': {
    'a failure counts as a success': { in: 'isSuccess', replace: '$status < 300', by: '$status < 600' },
  },
  'modules/webhooks/deliveries/object.ts': {
    'an object that died is not started by its alarm': {
      in: 'alarm',
      replace: 'if ($health === undefined) $forget; else $ring',
      by: 'if ($health === undefined) $forget; else if (this.#opened) $ring',
    },
    'the failure of a redelivery counts': {
      in: 'redelivered',
      replace: '$log.save($delivery)',
      by: `if ($log.health) $log.record($delivery, { ...$log.health, failures: 1, failing_since: Date.now() })
        else $log.save($delivery)`,
    },
  },
}
