/**
 * `npm run simulate:breaks [-- NAME]`: does the simulation find what is broken? Each break leaves one guard out of the
 * Worker's sources as they are loaded (no file is touched), and is simulated until something is wrong.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

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
    file: 'domain/users.ts',
    from: `and not exists (select 1 from \${users} where \${users.store_id} = \${sql.placeholder('store_id')}
        and \${users.email_key} = \${sql.placeholder('email_key')})`,
    to: '',
  },
  {
    name: 'a change without its event',
    file: 'domain/product-access-changes.ts',
    from: 'return sendChange(db, input, [insertUpdated(db, values), updateAccess(db, values)])',
    to: 'return sendChange(db, input, [updateAccess(db, values)])',
  },
  {
    name: 'the event after its change',
    file: 'domain/product-access-changes.ts',
    from: '[insertUpdated(db, values), updateAccess(db, values)]',
    to: '[updateAccess(db, values), insertUpdated(db, values)]',
  },
  {
    name: 'If-Match is not asked',
    file: 'domain/product-access-changes.ts',
    from: '(${versions} is null or ${product_accesses.version} in (select value from json_each(${versions})))',
    to: '(${versions} is null or true)',
  },
  {
    name: 'a change in any store',
    file: 'domain/product-access-changes.ts',
    from: '${product_accesses.id} = ${id} and ${product_accesses.store_id} = ${store_id}',
    to: '${product_accesses.id} = ${id} and ${store_id} is not null',
  },
  {
    name: 'a token for any store',
    file: 'wire/authorize.ts',
    from: 'store === undefined || store === principal?.store_id',
    to: 'true',
  },
  {
    name: 'the claim is not written',
    file: 'domain/users.ts',
    from: '...(claim ? [claimKey(db, values)] : []),',
    to: '',
  },
  {
    name: 'no sweep',
    file: 'webhooks/consumer.ts',
    from: 'await wake(env.WEBHOOKS, neglected)',
    to: '',
  },
  {
    name: 'the cursor moves without its deliveries',
    file: 'domain/webhook-attempts.ts',
    from: 'return [query(insert), query(advance)]',
    to: 'return [query(advance), query(insert)]',
  },
  {
    name: 'a failed attempt is not tried again',
    file: 'domain/webhook-outcomes.ts',
    from: 'iif(${isOver}, null, ${retryAt})',
    to: 'null',
  },
  {
    name: 'an e-mail in the log',
    file: 'domain/users.ts',
    from: '  if (row.request_id === cause.request_id)',
    to: '  console.log(row.email)\n  if (row.request_id === cause.request_id)',
  },
  {
    name: 'a page that skips its last event',
    file: 'domain/events.ts',
    from: 'return pageOf(rows, limit, (row) => row.id)',
    to: 'return pageOf(rows.slice(0, rows.length > 3 ? -1 : 3), limit, (row) => row.id)',
  },
  {
    name: 'a fingerprint is not compared',
    file: 'domain/users.ts',
    from: 'if (isSameMac(row.fingerprint, claim.fingerprint))',
    to: 'if (true)',
  },
  {
    name: 'a stored response is not checked',
    file: 'domain/replays.ts',
    from: 'writeReplay(kv: KVNamespace, replay: Replay, response: string): Promise<void> {',
    to: 'writeReplay(kv: KVNamespace, replay: Replay, response: string): Promise<void> {\n response += " "',
  },
]

/** The break that this process is to run with. */
export const CURRENT = BREAKS.find(({ name }) => name === process.env['SIMULATED_BREAK'])

const RUNS = 300

if (import.meta.main) {
  const [only] = process.argv.slice(2)
  console.log('| break | found after | how |\n|---|---|---|')
  for (const { name } of BREAKS.filter((each) => only === undefined || each.name === only)) {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'main.ts'), '--seed', '1', '--runs', String(RUNS), '--as-is'],
      { encoding: 'utf8', env: { ...process.env, SIMULATED_BREAK: name } },
    )
    const runs = /: (\d+) runs/.exec(stdout)?.[1]
    const how = /^- (.*)$/m.exec(stdout)?.[1]
    if (how === undefined) process.exitCode = 1
    const told = how ?? `not found${runs === undefined ? `: ${stderr}` : ''}`
    console.log(`| ${name} | ${runs ?? 0} | ${told.replaceAll('|', '/').slice(0, 160)} |`)
  }
}
