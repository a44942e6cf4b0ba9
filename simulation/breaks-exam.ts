/** Breaks that only the examiner finds, because it knows each response and when each delivery must come. */
import type { Break } from './breaks.ts'

export const EXAM_BREAKS: Break[] = [
  {
    name: 'an endpoint that is enabled does not resume',
    file: 'domain/webhooks/enable.ts',
    from: 'iif(${hasWaiting}, ${cursor}, ${resumed_until})',
    to: '${resumed_until}',
  },
  {
    name: 'an endpoint that is enabled waits for the others of its store',
    file: 'domain/webhooks/enable.ts',
    from: 'db.endpointsToWake.add(endpoint.id)',
    to: 'db.endpointsToNotify.add(endpoint.id)',
  },
  {
    name: 'an endpoint that has recovered does not resume',
    file: 'domain/webhooks/recovery.ts',
    from: 'resumed_until: sql`iif(${probe_at} is null, ${resumed_until}, ${cursor})`',
    to: 'resumed_until',
  },
  {
    name: 'a redelivery that failed keeps its old schedule',
    file: 'domain/webhooks/record-result.ts',
    from: '${or(succeeded, isLeased, waitsForRetry)}, ${retries}, 1)',
    to: '${or(succeeded, isLeased, waitsForRetry)}, ${retries}, ${retries})',
  },
  {
    name: 'only the first dead letter of a batch is logged',
    file: 'jobs/deliver.ts',
    from: 'for (const wakeUp of wakeUps) log(',
    to: 'for (const wakeUp of wakeUps.slice(0, 1)) log(',
  },
  {
    name: 'accesses that begin to end are not counted',
    file: 'domain/stats/stores.ts',
    from: "      ending_due: planned('ending_until_due'),\n",
    to: '',
  },
  {
    name: 'a list of accesses in the wrong order',
    file: 'domain/accesses/list.ts',
    from: '.orderBy(orderBy(order, product_accesses.id))',
    to: '.orderBy(product_accesses.id)',
  },
  {
    name: 'a spreadsheet in Portuguese with commas',
    file: 'wire/csv.ts',
    from: "language === 'ES' || language === 'PT' ? ';' : ','",
    to: "language === 'ES' ? ';' : ','",
  },
  {
    name: 'a search does not find a new email',
    file: 'domain/users/update.ts',
    from: 'return { email: after().email, email_key, email_folded }',
    to: 'return { email: after().email, email_key }',
  },
  {
    name: 'a key belongs to the revert of any bulk change',
    file: 'v1/bulk-changes.ts',
    from: 'request: { reverts: number },',
    to: 'request: {},',
  },
  {
    name: 'a replay has the ETag of now',
    file: 'http/respond-create.ts',
    from: `return send(c, status, parseStored(stored) ?? current, { 'Idempotent-Replayed': 'true' })`,
    to: `return send(c, status, { ...(parseStored(stored) ?? current), etag: current.etag }, { 'Idempotent-Replayed': 'true' })`,
  },
  {
    name: 'a rejected item takes the email of a later one',
    file: 'domain/users/plan-batch.ts',
    from: 'filter (where ${and(isNull(beforeEmail), isNull(afterEmail))})',
    to: 'filter (where ${isNull(beforeEmail)})',
  },
  {
    name: 'an event of a nested access has a request id of its own',
    file: 'wire/events.ts',
    from: `request_id.replace(/(?:\\/\\d+)+$/, '')`,
    to: `request_id.replace(/\\/\\d+$/, '')`,
  },
  {
    name: 'an access that is opened again does not end again',
    file: 'domain/accesses/expiry.ts',
    from: 'expired_at: sql`iif(${moves} or ${returns}, null, ${expired_at})`',
    to: 'expired_at: sql`iif(${moves}, null, ${expired_at})`',
  },
  {
    name: 'a token shows the time of its last use',
    file: 'domain/change/authorize.ts',
    from: '.set({ last_used_at: touchParams.today })',
    to: '.set({ last_used_at: contextParams.now })',
  },
  {
    name: 'the email of a revoked operator stays taken',
    file: 'domain/operators/fields.ts',
    from: 'return and(eq(emailOwner.email_key, operatorParams.email_key), isNull(emailOwner.revoked_at))',
    to: 'return eq(emailOwner.email_key, operatorParams.email_key)',
  },
  {
    name: 'the copy of an operator keeps the old role',
    file: 'domain/places/operator-copy.ts',
    from: 'setWhere: sql.join(\n        COPIED.map((name) => sql`${access_tokens[name]} is not ${changed[name]}`),\n        sql` or `,\n      ),',
    to: 'setWhere: sql`${access_tokens.hash} is not ${changed.hash}`,',
  },
  {
    name: 'a new URL continues the schedule of probes',
    file: 'domain/webhooks/endpoints.ts',
    from: '      probes: sql`iif(${movesElsewhere}, 0, ${probes})`,\n',
    to: '',
  },
  {
    name: 'an event counts on the day of the job',
    file: 'domain/stats/days.ts',
    from: "const day = idIn(planned('store'), sql`${events.created_at} / ${DAY_MS}`)",
    to: "const day = idIn(planned('store'), sql`${planned('now')} / ${DAY_MS}`)",
  },
  {
    name: 'the alarm does not ring for a notice',
    file: 'domain/places/next-run.ts',
    from: 'const times = [ends_at, ending_at, notice_at, recount_at,',
    to: 'const times = [ends_at, ending_at, recount_at,',
  },
  {
    name: 'a batch has no deadline',
    file: 'db/batch.ts',
    from: 'return (await Promise.race([send(db, sent, { shared: options.shared, attempt }), deadline.passed])) as RowsOf<S>',
    to: 'return (await send(db, sent, { shared: options.shared, attempt })) as RowsOf<S>',
  },
]
