/**
 * `npm run check:settings`: fails when wrangler.toml lacks a setting that only production would miss, in any of its
 * environments. `--config` names another file.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Unstable_Config } from 'wrangler'
import { cronsOf, queuesOf, readConfig, secretNames } from './wrangler-config.ts'

const { values } = parseArgs({ options: { config: { type: 'string' } } })
const problems: string[] = []
/** What two environments must not share, and who has it. */
const owners = new Map<string, string>()

const { definedEnvironments = [] } = readConfig(values)
for (const env of ['', ...definedEnvironments]) {
  const found = [...problemsOf(readConfig({ ...values, env })), ...shared(env)]
  problems.push(...found.map((problem) => `${env === '' ? 'top level' : `env.${env}`}: ${problem}`))
}
const described: object = JSON.parse(readFileSync('package.json', 'utf8')).cloudflare.bindings
for (const name of secretNames()) {
  if (!(name in described)) problems.push(`package.json: cloudflare.bindings does not describe the secret ${name}`)
}

if (problems.length > 0) {
  console.error(`Settings of production:\n${problems.join('\n')}`)
  process.exit(1)
}
console.log('The settings of production are there.')

function problemsOf(config: Unstable_Config): string[] {
  const { vars, observability, compatibility_flags: flags } = config
  const holds: Record<string, boolean> = {
    'preview_urls must be false, or every old version stays callable': config.preview_urls === false,
    'compatibility_flags must have global_fetch_strictly_public': flags.includes('global_fetch_strictly_public'),
    'compatibility_flags must have queue_consumer_no_wait_for_wait_until': flags.includes(
      'queue_consumer_no_wait_for_wait_until',
    ),
    'observability must be enabled, every request of it':
      observability?.enabled === true && (observability.head_sampling_rate ?? 1) === 1,
    'observability must have redact_query_string, or e-mails get into the logs':
      observability?.redact_query_string === true,
    'vars.ENVIRONMENT must be "production", whose rules are the strict ones': vars['ENVIRONMENT'] === 'production',
    'vars.EVENT_RETENTION_DAYS must be at least 7':
      /^\d+$/.test(textOf(vars, 'EVENT_RETENTION_DAYS')) && Number(vars['EVENT_RETENTION_DAYS']) >= 7,
    'vars must not hold a secret': secretNames().every((name) => vars[name] === undefined),
    // With it, `wrangler dev` would load no TOKEN_KEY_PREVIOUS, and a first deployment would fail.
    'secrets.required must not be set': config.secrets === undefined,
    'DB and REPLAYS must be bound':
      config.d1_databases.some(({ binding }) => binding === 'DB') &&
      config.kv_namespaces.some(({ binding }) => binding === 'REPLAYS'),
  }
  return [
    ...Object.keys(holds).filter((problem) => !holds[problem]),
    ...limitProblems(config),
    ...[cronsOf, queuesOf].flatMap((read) => problemOf(() => read(config))),
  ]
}

/** What a limiter counts, and what `RateLimit-Policy` announces, are two settings of one figure. */
function limitProblems({ ratelimits, vars }: Unstable_Config): string[] {
  return ['TOKEN', 'PASSWORD', 'VERIFY'].flatMap((name) => {
    const limiter = ratelimits.find((limiter) => limiter.name === `${name}_LIMITER`)
    if (limiter === undefined) return [`ratelimits must have ${name}_LIMITER`]
    const { limit, period } = limiter.simple
    const announced = textOf(vars, `${name}_RATE_LIMIT`)
    if (String(limit) === announced && period === 60) return []
    return [`${name}_LIMITER lets ${limit} in ${period} s pass, but ${name}_RATE_LIMIT announces ${announced} in 60 s`]
  })
}

/** Each environment has its own of everything that keeps or counts. */
function shared(env: string): string[] {
  const { d1_databases, ratelimits, queues } = readConfig({ ...values, env })
  const names = [
    ...d1_databases.map(({ database_name }) => `database ${database_name}`),
    ...ratelimits.map(({ namespace_id }) => `ratelimits namespace ${namespace_id}`),
    ...(queues.consumers ?? []).map(({ queue }) => `queue ${queue}`),
  ]
  return names.flatMap((name) => {
    const owner = owners.get(name)
    owners.set(name, env)
    return owner === undefined ? [] : [`${name} is used twice`]
  })
}

function textOf(vars: Unstable_Config['vars'], name: string): string {
  const value = vars[name]
  return typeof value === 'string' ? value : ''
}

function problemOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
