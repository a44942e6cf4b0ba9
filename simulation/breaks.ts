/**
 * `npm run simulate:breaks [-- NAME] [--update]`: does the simulation find what is broken? Each break leaves one guard
 * out of the Worker's sources as they are loaded (no file is touched), and is simulated until something is wrong.
 * `--update` writes the table of README.md.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

export interface Break {
  name: string
  /** Below src/. */
  file: string
  from: string
  to: string
}

export const BREAKS: Break[] = [
  {
    name: 'an event without the guard of its user',
    file: 'domain/create-user.ts',
    from: "sql`iif(exists ${userWithEmail(p)}, 'email_taken', null)`,",
    to: '',
  },
  {
    name: 'a claim without its user',
    file: 'domain/create-user.ts',
    from: '      user: insertUser(values),\n',
    to: '',
  },
  {
    name: 'a user without the claim',
    file: 'domain/create-user.ts',
    from: 'claim: input.claim && insertClaim(values),',
    to: '',
  },
  {
    name: 'a key of anybody',
    file: 'domain/claims.ts',
    from: 'where store = ${p.store} and caller_id = ${p.caller}',
    to: 'where store = ${p.store}',
  },
  {
    name: 'a used key takes any request',
    file: 'domain/claims.ts',
    from: "'idempotency_key_reused')",
    to: "'replayed')",
  },
  {
    name: 'a stored response is another',
    file: 'wire/answer-create.ts',
    from: 'writeReplay(c.env.REPLAYS, newestSecret, replay, response)',
    to: 'writeReplay(c.env.REPLAYS, newestSecret, replay, `${response} `)',
  },
  {
    name: 'a change without its event',
    file: 'domain/changes.ts',
    from: 'event, change, told: beside',
    to: 'change, told: beside',
  },
  {
    name: 'the event after its change',
    file: 'domain/changes.ts',
    from: 'event, change, told: beside',
    to: 'change, event, told: beside',
  },
  {
    name: 'a batch sent again does not find its event',
    file: 'domain/decisions.ts',
    from: 'sql`${ownEvent(p)} is not null`',
    to: 'sql`${p.look} < 100 and ${ownEvent(p)} is not null`',
  },
  {
    name: 'a batch that arrives late is carried out',
    file: 'domain/decisions.ts',
    from: '${isDone} or ${isOvertaken(p)}',
    to: '${isDone}',
  },
  {
    name: 'a record is made once more',
    file: 'domain/decisions.ts',
    from: '\n    and not exists (select 1 from ${table} made where made.id = e.id)',
    to: '',
  },
  {
    name: 'a record is made behind later events',
    file: 'domain/decisions.ts',
    from: 'from ${events} e where ${isFreshEvent(p)}\n',
    to: 'from ${events} e where e.id = ${ownEvent(p)}\n',
  },
  { name: 'a change is made once more', file: 'domain/decisions.ts', from: ' and ${event_id} < e.id`', to: '`' },
  {
    name: 'If-Match is not asked',
    file: 'domain/changes.ts',
    from: "when ${isEtagMismatch(p, etag)} then 'etag_mismatch'",
    to: "when 0 then ''",
  },
  {
    name: 'an expiry changes the ETag',
    file: 'domain/change-access.ts',
    from: "  etag: product_accesses.changed_by,\n  type: 'product_access.updated'",
    to: "  type: 'product_access.updated'",
  },
  {
    name: 'a token for any store',
    file: 'domain/gate.ts',
    from: 'and (s.id is null or ${p.store_slug} is null or s.slug = ${p.store_slug})',
    to: '',
  },
  { name: 'a revoked token is good', file: 'domain/gate.ts', from: 't.revoked_at is null and ', to: '' },
  {
    name: 'a replaced secret is good for ever',
    file: 'domain/secret-rotation.ts',
    from: 'iif(${p.overlap_ms} = 0, null, ',
    to: 'iif(0, null, ',
  },
  {
    name: 'a rotation forgets the secret before',
    file: 'domain/secret-rotation.ts',
    from: '        union all select ${current}, cast(${p.now} + ${p.overlap_ms} as integer)',
    to: '',
  },
  {
    name: 'a forged token is good',
    file: 'domain/token-format.ts',
    from: 'if (!keys.some((key) => isEqual(mac, macOf(key, `token:${text}`)))) return undefined',
    to: '',
  },
  {
    name: 'a suspended store goes on',
    file: 'domain/gate.ts',
    from: "when s.suspended_at is not null then 'store_suspended'",
    to: '',
  },
  { name: 'a viewer changes things', file: 'domain/gate.ts', from: "then 'insufficient_scope'", to: 'then null' },
  {
    name: 'some tokens outlive the end of all',
    file: 'domain/revoke-tokens.ts',
    from: 'e.id > ${newest} - ${howMany(p)}',
    to: 'e.id > ${newest} - 1',
  },
  {
    name: 'an e-mail stays taken',
    file: 'domain/update-user.ts',
    from: ', email_key: sql`${p.email_key}` }',
    to: ' }',
  },
  {
    name: 'an erasure leaves the user',
    file: 'domain/erase-user.ts',
    from: 'accesses: deleteAccesses(values), record, told',
    to: 'accesses: deleteAccesses(values), told',
  },
  {
    name: 'any password is right',
    file: 'v1/users.ts',
    from: 'isPasswordOf(user?.password_hash ?? null, password, c.env)',
    to: 'Promise.resolve(true)',
  },
  {
    name: 'a page that skips an event',
    file: 'domain/events.ts',
    from: 'found.length > limit && last ? last.id : rangeEnd',
    to: 'found.length > limit && last ? last.id + 1 : rangeEnd',
  },
  {
    name: 'a cursor beyond what was read',
    file: 'domain/events.ts',
    from: 'found.length > limit && last ? last.id : rangeEnd',
    to: 'rangeEnd',
  },
  {
    name: 'a cursor that trusts time',
    file: 'domain/events.ts',
    from: '    .orderBy(asc(id))\n    .limit(p.count)',
    to: '    .orderBy(asc(events.created_at))\n    .limit(p.count)',
  },
  {
    name: 'events are deleted too early',
    file: 'domain/purge-events.ts',
    from: 'y.created_at >= ${p.cutoff}',
    to: 'y.created_at >= ${p.cutoff} + 604000000',
  },
  {
    name: 'the newest event is deleted',
    file: 'domain/purge-events.ts',
    from: 'and e.id < ${end} limit',
    to: 'and e.id <= ${end} limit',
  },
  {
    name: 'an end is told again and again',
    file: 'domain/expiry.ts',
    from: 'marks: (p) => ({ expired_at: p.now,',
    to: 'marks: (p) => ({',
  },
  {
    name: 'a new date is not told to end',
    file: 'domain/expiry.ts',
    from: 'expired_at: sql`iif(${moves} or ${returns}, null, ${expired_at})`',
    to: 'expired_at: sql`${expired_at}`',
  },
  {
    name: 'a batch takes an e-mail twice',
    file: 'domain/plan-users-batch.ts',
    from: "iif(at > first, 'email_taken', null), ",
    to: '',
  },
  {
    name: 'a batch makes the records of what it refused',
    file: 'domain/grant-accesses-batch.ts',
    from: 'where i.verdict is null and (',
    to: 'where (',
  },
  {
    name: 'an e-mail in the log',
    file: 'domain/create-user.ts',
    from: '  const verdict = settleAndWake(db, rows)\n  const [told] = rows',
    to: '  const verdict = settleAndWake(db, rows)\n  const [told] = rows\n  if (told) console.log(told.email)',
  },
  {
    name: 'personal data in an event',
    file: 'domain/create-user.ts',
    from: "{ type: 'user.created', decision: decideCreate(p) }",
    to: "{ type: 'user.created', decision: decideCreate(p), data: sql`json_object('to', ${p.email})` }",
  },
  { name: 'no sweep', file: 'jobs/minutely.ts', from: 'await wake(env.WEBHOOKS, neglected)', to: '' },
  {
    name: 'the cursor moves without its deliveries',
    file: 'domain/webhooks/turns.ts',
    from: '      fresh: leaseFresh(values),\n      cursor: moveCursor(values),',
    to: '      cursor: moveCursor(values),\n      fresh: leaseFresh(values),',
  },
  {
    name: 'a lease that does not end',
    file: 'domain/webhooks/turns.ts',
    from: '(${lost} union all ${waiting})',
    to: '(${waiting})',
  },
  {
    name: 'a lease that is not checked',
    file: 'domain/webhooks/turns.ts',
    from: 'l.lease is not null and l.next_attempt_at <= ${p.now}`',
    to: 'l.lease is not null`',
  },
  {
    name: 'an endpoint stays disabled',
    file: 'domain/webhooks/enable.ts',
    from: 'fieldValues(FIELDS, { disabled_at: null, ',
    to: 'fieldValues(FIELDS, { ',
  },
  {
    name: 'a failed attempt is not tried again',
    file: 'domain/webhooks/outcomes.ts',
    from: 'else ${p.now} + ${p.delay_ms} + ${ahead} end`',
    to: 'end`',
  },
  {
    name: 'a failure is taken for a success',
    file: 'domain/webhooks/send.ts',
    from: 'status >= 200 && status < 300',
    to: 'status >= 200 && status < 600',
  },
  { name: 'older secrets do not sign', file: 'domain/webhooks/secrets.ts', from: '[secret, ...good]', to: '[secret]' },
  {
    name: 'a type that nobody asked for',
    file: 'domain/webhooks/turns.ts',
    from: 'and (t.types is null or ${hasWord(sql`t.types`, sql`b.type`)})',
    to: '',
  },
  {
    name: 'a deleted endpoint is sent things',
    file: 'domain/webhooks/endpoints.ts',
    from: 'return sendDeletion(db, deletionSteps({ ...callValues(call), number }))',
    to: 'return Promise.resolve()',
  },
]

/** The break that this process is to run with. */
export const CURRENT = BREAKS.find(({ name }) => name === process.env['SIMULATED_BREAK'])

const RUNS = 300

interface Found {
  name: string
  /** Undefined when nothing was found, or nothing could be run. */
  runs: number | undefined
  how: string
}

function tryOne({ name }: Break): Found {
  const main = join(import.meta.dirname, 'main.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [main, '--seed', '1', '--runs', String(RUNS), '--as-is'], {
    encoding: 'utf8',
    env: { ...process.env, SIMULATED_BREAK: name },
  })
  const runs = /: (\d+) runs/.exec(stdout)?.[1]
  const violation = /^- (.*)$/m.exec(stdout)?.[1]
  if (violation === undefined) return { name, runs: undefined, how: runs === undefined ? stderr : 'not found' }
  return { name, runs: Number(runs), how: summarize(violation) }
}

/** Without the record that it is about and the story of it. */
function summarize(violation: string): string {
  const [about = '', ...story] = violation.replace(/^(red|blue): | to https:.*/g, '').split(/: | [{"]/)
  return story[0] === 'no order explains' ? `no order explains: ${about.split(' ')[0]}` : about
}

function toTable(found: Found[]): string {
  const rows = found.map(({ name, runs, how }) => [name, String(runs), how])
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
  const found = chosen.map((each) => {
    const one = tryOne(each)
    console.log(`${one.name}: ${one.runs === undefined ? one.how : `${one.runs} runs, ${one.how}`}`)
    return one
  })
  if (found.some(({ runs }) => runs === undefined)) process.exitCode = 1
  else if (values.update && chosen.length === BREAKS.length) {
    const readme = join(import.meta.dirname, 'README.md')
    const text = readFileSync(readme, 'utf8').replace(/\| left out or changed[^]*?\n(?!\|)/, () => toTable(found))
    writeFileSync(readme, text)
  }
}
