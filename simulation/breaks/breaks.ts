/**
 * `npm run simulate:breaks [-- NAME] [--update]`: does the simulation find defects? Each break removes or changes one
 * guard while the Worker's sources are loaded (no file is changed), and is simulated until a check fails. `--update`
 * writes the table of README.md.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

import type { Break } from './break.ts'
import { BULK_BREAKS } from './bulk.ts'
import { EXAM_BREAKS } from './exam.ts'
import { PLACE_BREAKS } from './places.ts'

export const BREAKS: Break[] = [
  {
    name: 'an event without the rule of its email',
    file: 'domain/users/create.ts',
    from: 'unknownCustomFields(), emailTaken()]',
    to: 'unknownCustomFields()]',
  },
  {
    name: 'a claim without its user',
    file: 'domain/users/create.ts',
    from: '    user: insertUser({ ...values, password_hash }),\n',
    to: '',
  },
  {
    name: 'a user without the claim',
    file: 'domain/users/create.ts',
    from: '    claim: input.key && insertClaim(values),\n',
    to: '',
  },
  {
    name: 'a used key counts as new',
    file: 'domain/idempotency/claims.ts',
    from: 'or(eq(key, claimParams.key), eq(key, claimParams.previous_key))',
    to: 'eq(key, claimParams.previous_key)',
  },
  {
    name: 'a used key accepts any request',
    file: 'domain/idempotency/claims.ts',
    from: "rule('replayed', isSameRequest)",
    to: "rule('replayed', isNotNull(claim.key))",
  },
  {
    name: 'a stored response is another one',
    file: 'http/respond/create.ts',
    from: 'writeReplay(replays, newestSecret, replay, storedText(current))',
    to: 'writeReplay(replays, newestSecret, replay, `${storedText(current)} `)',
  },
  {
    name: 'a change without its event',
    file: 'domain/change/commit.ts',
    from: '{ event, ...writes, result })',
    to: '{ ...writes, result })',
  },
  {
    name: 'the event after its change',
    file: 'domain/change/commit.ts',
    from: '{ event, ...writes, result })',
    to: '{ ...writes, event, result })',
  },
  {
    name: 'a batch that is sent again does not find its event',
    file: 'domain/change/attempts.ts',
    from: "rule('applied', isNotNull(applied.id))",
    to: "rule('applied', and(isNotNull(applied.id), sql`${attemptParams.attempt} = 0`))",
  },
  {
    name: 'a late attempt is carried out',
    file: 'domain/change/attempts.ts',
    from: "rule('superseded', isNotNull(laterAttempt.request_id))",
    to: "rule('superseded', sql`0`)",
  },
  {
    name: 'acts on an event of an earlier attempt',
    file: 'domain/change/attempts.ts',
    from: '  eq(events.attempt, attemptParams.attempt),\n',
    to: '',
  },
  {
    name: 'a batch acts on events of an earlier attempt',
    file: 'domain/change/item-events.ts',
    from: 'sql`1`), eq(events.attempt, attemptParams.attempt))',
    to: 'sql`1`))',
  },
  {
    name: 'If-Match is not checked',
    file: 'domain/accesses/update.ts',
    from: '  etagMismatch(product_accesses.changed_by),\n',
    to: '',
  },
  {
    name: 'an expiry changes the ETag',
    file: 'domain/accesses/update.ts',
    from: 'etagMismatch(product_accesses.changed_by)',
    to: 'etagMismatch(product_accesses.event_id)',
  },
  {
    name: 'a token for any store',
    file: 'domain/change/authorize.ts',
    from: '        ne(store.slug, contextParams.store_slug),\n',
    to: '',
  },
  {
    name: 'a revoked token is valid',
    file: 'domain/change/authorize.ts',
    from: '        isNotNull(token.revoked_at),\n',
    to: '',
  },
  {
    name: 'a suspended store accepts its tokens',
    file: 'domain/change/authorize.ts',
    from: "  rule('store_suspended', and(isStoreToken, isNotNull(store.suspended_at))),\n",
    to: '',
  },
  {
    name: 'a viewer changes things',
    file: 'domain/change/authorize.ts',
    from: "  rule('insufficient_scope', and(isNotRoot, lacksScope(contextParams.required_scope))),\n",
    to: '',
  },
  {
    name: 'a replaced secret is valid forever',
    file: 'domain/tokens/secret-rotation.ts',
    from: 'olderAfter: sql`iif(${overlap_ms} = 0, null, ',
    to: 'olderAfter: sql`iif(0, null, ',
  },
  {
    name: 'a rotation forgets the replaced secret',
    file: 'domain/tokens/secret-rotation.ts',
    from: 'json_patch(${stillValid}, ${replaced})',
    to: '${stillValid}',
  },
  {
    name: 'a forged token is valid',
    file: 'domain/tokens/token-format.ts',
    from: '  if (!keys.some((key) => isEqual(mac, hmac(key, `token:${text}`)))) return undefined\n',
    to: '',
  },
  {
    name: 'some tokens survive the revocation of all',
    file: 'domain/tokens/revoke-all.ts',
    from: 'isItemEventOfThisAttempt(countOfEvents)',
    to: 'isItemEventOfThisAttempt(sql`1`)',
  },
  {
    name: 'an email stays taken after a change',
    file: 'domain/users/update.ts',
    from: 'return { email: after().email, email_key, email_folded }',
    to: 'return { email: after().email, email_folded }',
  },
  {
    name: 'an erasure leaves the user',
    file: 'domain/change/record/update.ts',
    from: '      record: deleteRecord({}),\n',
    to: "      record: 'email' in deletion().table ? undefined : deleteRecord({}),\n",
  },
  {
    name: 'any password is right',
    file: 'http/password-quota.ts',
    from: 'isPasswordOf(c.env, { password, hash, store: storeOf(caller) })',
    to: 'Promise.resolve(true)',
  },
  {
    name: 'a page skips an event',
    file: 'domain/events/feed.ts',
    from: 'found.length > limit && last ? last.id : rangeEnd',
    to: 'found.length > limit && last ? last.id + 1 : rangeEnd',
  },
  {
    name: 'a cursor is beyond what was read',
    file: 'domain/events/feed.ts',
    from: 'found.length > limit && last ? last.id : rangeEnd',
    to: 'rangeEnd',
  },
  {
    name: 'a page is ordered by time',
    file: 'domain/events/feed.ts',
    from: '.orderBy(orderBy(order, events.id))',
    to: '.orderBy(orderBy(order, events.created_at))',
  },
  {
    name: 'events are deleted too early',
    file: 'domain/events/purge.ts',
    from: 'gte(kept.created_at, purgeParams.cutoff)',
    to: 'gte(kept.created_at, sql`${purgeParams.cutoff} + 604000000`)',
  },
  {
    name: 'the newest event is deleted',
    file: 'domain/events/purge.ts',
    from: 'lt(old.id, end)',
    to: 'sql`${old.id} <= ${end}`',
  },
  {
    name: 'an expiry is announced again and again',
    file: 'domain/accesses/expiry.ts',
    from: 'set: { expired_at: contextParams.now, notified_at',
    to: 'set: { notified_at',
  },
  {
    name: 'the expiry of a new date is not announced',
    file: 'domain/accesses/expiry.ts',
    from: 'expired_at: sql`iif(${moves} or ${returns}, null, ${expired_at})`',
    to: 'expired_at: sql`${expired_at}`',
  },
  {
    name: 'a batch accepts an email twice',
    file: 'domain/users/batch/plan.ts',
    from: "iif(${isRepeated}, 'email_taken', null), ",
    to: '',
  },
  {
    name: 'a batch creates the records that it rejected',
    file: 'domain/accesses/grant-batch.ts',
    from: '.where(and(isNull(error), or(isNew, isUpdated)))',
    to: '.where(or(isNew, isUpdated))',
  },
  {
    name: 'an email in the log',
    file: 'domain/users/create.ts',
    from: '  return toCreated(result)\n',
    to: '  console.log(result.email)\n  return toCreated(result)\n',
  },
  {
    name: 'personal data in an event',
    file: 'domain/users/create.ts',
    from: "newEvent({ type: 'user.created' })",
    to: "newEvent({ type: 'user.created', data: sql`json_object('to', ${userParams.email})` })",
  },
  {
    name: 'the minutely job wakes no endpoint',
    file: 'jobs/minutely.ts',
    from: '    await wakeEndpoints(env, endpoints)\n',
    to: '',
  },
  {
    name: 'the cursor passes what is in flight',
    file: 'domain/webhooks/outgoing.ts',
    from: 'return Math.min(readTo, ...firstAttempts.map((id) => id - 1), ',
    to: 'return Math.min(readTo, ',
  },
  {
    name: 'the cursor passes what was read and not sent',
    file: 'domain/webhooks/outgoing.ts',
    from: ', ...(unsent ? [unsent.id - 1] : []))',
    to: ')',
  },
  {
    name: 'no alarm is set while an endpoint works',
    file: 'jobs/deliver.ts',
    from: '    this.#setAlarm({ isWorking: true })\n    this.#tripsLeft',
    to: '    this.#tripsLeft',
  },
  {
    name: 'the flag of a wake-up is cleared after the trip',
    file: 'jobs/deliver.ts',
    from: '    this.#stops = 0\n',
    to: '    this.#stops = 0\n    this.#isWoken = false\n',
  },
  {
    name: 'what changes during a trip is not reported',
    file: 'jobs/deliver.ts',
    from: '    this.#stops = 0\n',
    to: '    this.#stops = 0\n    this.#isDirty = false\n',
  },
  {
    name: 'a report without its condition',
    file: 'domain/webhooks/exchange.ts',
    from: '.where(and(isEndpoint, isUpToDate, differs))',
    to: '.where(and(isEndpoint, differs))',
  },
  {
    name: 'a restored cursor is overwritten',
    file: 'domain/webhooks/exchange.ts',
    from: '  eq(webhook_endpoints.cursor, seenParams.seen_cursor),\n',
    to: '',
  },
  {
    name: 'an endpoint stays disabled',
    file: 'domain/webhooks/endpoints.ts',
    from: '    disabled_at: sql`null`,\n',
    to: '',
  },
  {
    name: 'an object does not see that delivery is resumed',
    file: 'jobs/deliver.ts',
    from: 'deliveries.health.resumed_by !== endpoint.resumed_by',
    to: 'deliveries.health.resumed_by < 0',
  },
  {
    name: 'a failed delivery is not retried',
    file: 'domain/webhooks/delivery.ts',
    from: 'retries: delivery.retries + 1, next_attempt_at: now + retryDelay(delivery.retries) }',
    to: 'retries: delivery.retries + 1, next_attempt_at: null }',
  },
  {
    name: 'an endpoint never goes down',
    file: 'domain/webhooks/health.ts',
    from: 'return failed.failures < WEBHOOK.downAfter ? failed',
    to: 'return failed.failures > 0 ? failed',
  },
  {
    name: 'an invocation leaves the rest to nobody',
    file: 'jobs/deliver.ts',
    from: '    this.#options.setAlarm(Date.now())\n',
    to: '    this.#options.setAlarm(Date.now() + WEBHOOK.idleMs)\n',
  },
  {
    name: 'seven requests in flight',
    file: 'jobs/deliver.ts',
    from: 'health?.probe_at == null ? WEBHOOK.inFlight : 1',
    to: 'health?.probe_at == null ? WEBHOOK.inFlight + 1 : 1',
  },
  {
    name: 'an endpoint that is down gets everything',
    file: 'jobs/deliver.ts',
    from: 'health?.probe_at == null ? WEBHOOK.inFlight : 1',
    to: 'WEBHOOK.inFlight',
  },
  {
    name: 'a failure counts as a success',
    file: 'domain/webhooks/send.ts',
    from: 'status >= 200 && status < 300',
    to: 'status >= 200 && status < 600',
  },
  {
    name: 'older secrets do not sign',
    file: 'domain/webhooks/secrets.ts',
    from: '[secret, ...stillValid]',
    to: '[secret]',
  },
  {
    name: 'an event of a type that was not asked for',
    file: 'domain/webhooks/exchange.ts',
    from: 'or(isNull(window.types), hasWord(window.types, window.type))',
    to: 'sql`1`',
  },
  {
    name: 'a webhook is not the event',
    file: 'wire/webhooks.ts',
    from: "JSON.stringify(toEvent(event, 'integrator'))",
    to: "JSON.stringify(toEvent({ ...event, created_at: event.created_at + (attempt ?? 1) - 1 }, 'integrator'))",
  },
  {
    name: 'a deleted endpoint gets deliveries',
    file: 'domain/change/record/update.ts',
    from: '      record: deleteRecord({}),\n',
    to: "      record: 'url' in deletion().table ? undefined : deleteRecord({}),\n",
  },
  {
    name: 'a key is kept too long',
    file: 'limits.ts',
    from: 'CLAIM_TTL_SECONDS = 24 * 60 * 60',
    to: 'CLAIM_TTL_SECONDS = 25 * 60 * 60',
  },
  {
    name: 'a key is kept a millisecond too long',
    file: 'domain/idempotency/claims.ts',
    from: 'gt(created_at, claimParams.oldest_claim)',
    to: 'sql`${created_at} >= ${claimParams.oldest_claim}`',
  },
  {
    name: 'a key of any operation',
    file: 'domain/idempotency/claims.ts',
    from: '        eq(operation, claimParams.operation),\n',
    to: '',
  },
  {
    name: 'the order of the keys of a body matters',
    file: 'domain/idempotency/fingerprints.ts',
    from: '{ sortKeys: true }',
    to: '{ sortKeys: false }',
  },
  {
    name: 'a token is valid at its end',
    file: 'domain/change/authorize.ts',
    from: 'lte(token.expires_at, contextParams.now)',
    to: 'lt(token.expires_at, contextParams.now)',
  },
  {
    name: 'a wrong scope',
    file: 'v1/users.ts',
    from: "requireScope('users:erase')",
    to: "requireScope('users:write')",
  },
  {
    name: 'an admin does what only the root may',
    file: 'admin/operators.ts',
    from: ".delete('/operators/:id', requireRoot(), ",
    to: ".delete('/operators/:id', ",
  },
  {
    name: 'a grant has no default date',
    file: 'domain/accesses/new-access.ts',
    from: 'iif(${isGiven}, ${given}, ${contextParams.now} + ${days} * ${DAY_MS})',
    to: 'iif(${isGiven}, ${given}, null)',
  },
  {
    name: 'progress does not change the ETag',
    file: 'domain/accesses/progress.ts',
    from: '  alsoSet: { changed_by: events.id },\n',
    to: '',
  },
  {
    name: 'a list loses a filter',
    file: 'domain/accesses/list.ts',
    from: '        or(isNull(status), eq(product_accesses.status, status)),\n',
    to: '',
  },
  ...BULK_BREAKS,
  ...EXAM_BREAKS,
  ...PLACE_BREAKS,
]

/** The break with which this process runs. */
export const CURRENT = BREAKS.find(({ name }) => name === process.env['SIMULATED_BREAK'])

const RUNS = 300

interface BreakResult {
  name: string
  /** Undefined if no violation was found, or if the simulation could not run. */
  runs: number | undefined
  finding: string
}

async function tryOne({ name }: Break): Promise<BreakResult> {
  const main = join(import.meta.dirname, '..', 'main.ts')
  const child = spawn(process.execPath, [main, '--seed', '1', '--runs', String(RUNS), '--as-is'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SIMULATED_BREAK: name },
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const runs = /: (\d+) runs/.exec(stdout)?.[1]
  const violation = /^- (.*)$/m.exec(stdout)?.[1]
  if (violation === undefined) return { name, runs: undefined, finding: runs === undefined ? stderr : 'not found' }
  return { name, runs: Number(runs), finding: summarize(violation) }
}

/** Removes the record and the story from a violation, which differ with every change of the service. */
function summarize(violation: string): string {
  const [about = '', ...story] = violation.replace(/^(red|blue): | to https:.*/g, '').split(/: | [{"]/)
  return story[0] === 'no order explains' ? `no order explains: ${about.split(' ')[0]}` : about
}

function toTable(found: BreakResult[]): string {
  const rows = found.map(({ name, runs, finding }) => [name, String(runs), finding])
  const titles = ['left out or changed', 'runs', 'found as']
  const [first = 0, second = 0, third = 0] = titles.map((title, i) =>
    Math.max(...[titles, ...rows].map((row) => row[i]?.length ?? title.length)),
  )
  const line = ([a = '', b = '', c = '']: string[]) =>
    `| ${a.padEnd(first)} | ${b.padStart(second)} | ${c.padEnd(third)} |\n`
  const rule = `| ${'-'.repeat(first)} | ${'-'.repeat(second - 1)}: | ${'-'.repeat(third)} |\n`
  return line(titles) + rule + rows.map(line).join('')
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { update: { type: 'boolean' } } })
  const chosen = BREAKS.filter(({ name }) => name.includes(positionals[0] ?? ''))
  const found: BreakResult[] = []
  const waiting = chosen.entries()
  const tryInTurn = async () => {
    for (const [i, each] of waiting) {
      const one = await tryOne(each)
      console.log(`${one.name}: ${one.runs === undefined ? one.finding : `${one.runs} runs, ${one.finding}`}`)
      found[i] = one
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, tryInTurn))
  if (found.some(({ runs }) => runs === undefined)) process.exitCode = 1
  else if (values.update && chosen.length === BREAKS.length) {
    const readme = join(import.meta.dirname, '..', 'README.md')
    const page = readFileSync(readme, 'utf8').replace(/\| left out or changed[^]*?\n(?!\|)/, () => toTable(found))
    writeFileSync(readme, page)
  }
}
