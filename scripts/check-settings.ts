/**
 * `npm run check:settings`: fails if an environment of wrangler.toml lacks a setting that only production needs, or if the
 * workflow that deploys gives its token away, because no other test would notice. `--config` names another wrangler.toml.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Unstable_Config } from 'wrangler'
import { secretNames } from './local-secrets.ts'
import { cronsOf, readConfig, routesOf } from './wrangler-config.ts'

/** The class of each binding. */
const OBJECTS = {
  STORES: 'StoreDatabase',
  WEBHOOK_ENDPOINTS: 'WebhookEndpoint',
  BULK_CHANGES: 'BulkChanges',
}

/** Before this date, an object was not kept alive by the requests that it had sent: what is in flight would be lost. */
const MIN_COMPATIBILITY_DATE = '2026-10-01'

const WORKFLOW = '.github/workflows/deploy.yml'
/** The commands that need the token of the account. Any other step runs code that need not see it, such as `npm ci`. */
const DEPLOYING = /^(npm run deploy|npx wrangler) /
const ONLY_FROM_MAIN = "if: github.event_name == 'push' || github.ref == 'refs/heads/main'"
const OTHER_ROUTES = ': give the environment routes of its own, or `routes = []` and `workers_dev = true`'
const LIMITERS = ['TOKEN', 'PASSWORD', 'STORE_PASSWORD', 'VERIFY', 'TOKEN_VERIFY', 'STORE_VERIFY', 'WEBHOOK']

if (import.meta.main) {
  const { values } = parseArgs({ options: { config: { type: 'string' } } })
  const problems = findProblems(values)
  if (problems.length > 0) {
    console.error(`Settings of production:\n${problems.join('\n')}`)
    process.exit(1)
  }
  console.log('The settings of production are complete.')
}

interface Files {
  /** wrangler.toml unless this names another. */
  config?: string
  /** The text of deploy.yml unless this is another one. */
  workflow?: string
}

/** Returns what is wrong in any environment of the configuration, and in the workflow that deploys. */
export function findProblems({ workflow = readFileSync(WORKFLOW, 'utf8'), ...file }: Files): string[] {
  const described: object = JSON.parse(readFileSync('package.json', 'utf8')).cloudflare.bindings
  const missing = secretNames().filter((name) => !(name in described))
  return [
    ...findSettingProblems(file),
    ...missing.map((name) => `package.json: cloudflare.bindings does not describe the secret ${name}`),
    ...workflowProblems(workflow).map((problem) => `deploy.yml: ${problem}`),
  ]
}

/** Returns what is wrong in any environment of the configuration, each with its place in front. */
export function findSettingProblems(file: Pick<Files, 'config'>): string[] {
  const { definedEnvironments = [] } = readConfig(file)
  const environments = ['', ...definedEnvironments].map((name) => ({
    name,
    config: readConfig({ ...file, env: name }),
  }))
  const resources = new Set<string>()
  return environments.flatMap(({ name, config }) =>
    [...problemsOf(config), ...sharedResources(config, resources)].map((problem) => `${placeOf(name)}: ${problem}`),
  )
}

export function placeOf(environment: string | undefined): string {
  return environment ? `env.${environment}` : 'top level'
}

function problemsOf(config: Unstable_Config): string[] {
  const { vars, observability, compatibility_flags: flags } = config
  const holds: Record<string, boolean> = {
    'preview_urls must be false, or every old version stays callable': config.preview_urls === false,
    'compatibility_flags must have global_fetch_strictly_public': flags.includes('global_fetch_strictly_public'),
    [`compatibility_date must be ${MIN_COMPATIBILITY_DATE} or later, or deliveries in flight are lost`]:
      (config.compatibility_date ?? '') >= MIN_COMPATIBILITY_DATE,
    'observability must be enabled for every request':
      observability?.enabled === true && (observability.head_sampling_rate ?? 1) === 1,
    'observability must have redact_query_string, or emails get into the logs':
      observability?.redact_query_string === true,
    'vars.ENVIRONMENT must be "production", or the rules are too lax': vars['ENVIRONMENT'] === 'production',
    'vars.EVENT_RETENTION_DAYS must be at least 7':
      /^\d+$/.test(textOf(vars, 'EVENT_RETENTION_DAYS')) && Number(vars['EVENT_RETENTION_DAYS']) >= 7,
    "vars.WORKER_NAME must be the Worker's name, or another deployment could use up its quotas":
      textOf(vars, 'WORKER_NAME') !== '' && vars['WORKER_NAME'] === config.name,
    'vars.DEFAULT_PLACE must be "shared" or "own"': ['shared', 'own'].includes(textOf(vars, 'DEFAULT_PLACE')),
    'vars must not hold a secret': secretNames().every((name) => vars[name] === undefined),
    'vars must have both ACCESS_TEAM_DOMAIN and ACCESS_AUD, or neither':
      (textOf(vars, 'ACCESS_TEAM_DOMAIN') === '') === (textOf(vars, 'ACCESS_AUD') === ''),
    'vars.ACCESS_TEAM_DOMAIN must be a domain and not a URL': /^[a-z0-9.-]*$/.test(textOf(vars, 'ACCESS_TEAM_DOMAIN')),
    'routes must not be empty if workers_dev is false, or nothing can reach the Worker':
      config.workers_dev !== false || routesOf(config).length > 0,
    // With it, `wrangler dev` would load no TOKEN_KEY_PREVIOUS, and a first deployment would fail.
    'secrets.required must not be set': config.secrets === undefined,
    'DB and REPLAYS must be bound':
      config.d1_databases.some(({ binding }) => binding === 'DB') &&
      config.kv_namespaces.some(({ binding }) => binding === 'REPLAYS'),
  }
  return [
    ...Object.keys(holds).filter((problem) => !holds[problem]),
    ...objectProblems(config),
    ...limitProblems(config),
    ...problemOf(() => cronsOf(config)),
  ]
}

function objectProblems({ durable_objects, migrations }: Unstable_Config): string[] {
  const isImmediate = durable_objects.code_update_strategy?.mode === 'immediate'
  const created = new Set(migrations.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes))
  const classes = new Map(durable_objects.bindings.map(({ name, class_name }) => [name, class_name]))
  const objects = Object.entries(OBJECTS)
  const unbound = objects.filter(([binding, className]) => classes.get(binding) !== className)
  const missing = objects.filter(([, className]) => !created.has(className))
  return [
    ...(isImmediate
      ? []
      : ['durable_objects.code_update_strategy must have mode "immediate", or busy objects keep old code']),
    ...unbound.map(([binding, className]) => `${binding} must be bound to ${className}`),
    ...missing.map(([, className]) => `migrations must create ${className} with new_sqlite_classes`),
  ]
}

/** The limit of a limiter and the figure that `RateLimit-Policy` announces are two settings. They must be equal. */
function limitProblems({ ratelimits, vars }: Unstable_Config): string[] {
  return LIMITERS.flatMap((name) => {
    const limiter = ratelimits.find((each) => each.name === `${name}_LIMITER`)
    if (limiter === undefined) return [`ratelimits must have ${name}_LIMITER`]
    const { limit, period } = limiter.simple
    const announced = textOf(vars, `${name}_RATE_LIMIT`)
    if (String(limit) === announced && period === 60) return []
    return [`${name}_LIMITER allows ${limit} in ${period} s, but ${name}_RATE_LIMIT announces ${announced} in 60 s`]
  })
}

/**
 * Two environments with the same database or counters would change each other's data, and of two with the same
 * address the one that was deployed last gets all requests.
 */
function sharedResources(config: Unstable_Config, known: Set<string>): string[] {
  const { d1_databases, ratelimits } = config
  const names = [
    ...new Set(routesOf(config).map((route) => `route ${route}`)),
    ...d1_databases.map(({ database_name }) => `database ${database_name}`),
    ...ratelimits.map(({ namespace_id }) => `ratelimits namespace ${namespace_id}`),
  ]
  return names.flatMap((name) => {
    if (known.has(name)) return [`${name} is used twice${name.startsWith('route ') ? OTHER_ROUTES : ''}`]
    known.add(name)
    return []
  })
}

/** The workflow is read as text: each step begins with a dash, and what is outside of a step holds for all of them. */
function workflowProblems(workflow: string): string[] {
  const [beforeJobs = '', ...jobs] = workflow.split(/^ {2}(?=[\w-]+:$)/m)
  const parts = [beforeJobs, ...jobs.flatMap((job) => job.split(/^ {6}- /m))]
  const withToken = parts.filter((part) => /\bsecrets[.[]/.test(part))
  const mayNot = withToken.filter((part) => !DEPLOYING.test(/^(?: {8})?run: (.*)/m.exec(part)?.[1] ?? ''))
  const deploying = jobs.filter((job) => job.includes('npm run deploy'))
  return [
    ...(mayNot.length === 0 ? [] : ['only steps that deploy may have a secret, or install scripts have it']),
    ...(deploying.every((job) => job.includes(ONLY_FROM_MAIN))
      ? []
      : [`each job that deploys must have ${ONLY_FROM_MAIN}, or a click deploys a branch`]),
  ]
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
