/** `npm run check:settings` reports each of these changes to wrangler.toml. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProblems } from './check-settings.ts'

const directory = mkdtempSync(join(tmpdir(), 'registrar-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

function check(toml: string): string {
  const config = join(directory, 'wrangler.toml')
  writeFileSync(config, toml)
  return findProblems({ config }).join('\n')
}

const settings = readFileSync('wrangler.toml', 'utf8')

await test('the present settings pass', () => {
  assert.equal(check(settings), '')
})

/** What docs/deployment.md says about an own domain. */
const withDomain = settings.replace(
  'workers_dev = true\n',
  'routes = [{ pattern = "api.example.com", custom_domain = true }]\nworkers_dev = false\n',
)

await test('a domain of production passes, which staging does not have', () => {
  assert.equal(check(withDomain), '')
})

for (const [staging, problem] of [
  [
    'workers_dev = true',
    /^env\.staging: route api\.example\.com is used twice: give the environment routes of its own, or `routes = \[\]` and `workers_dev = true`$/,
  ],
  [
    'routes = [{ pattern = "api.example.com/*", zone_name = "example.com" }, "api.example.com"]',
    /^env\.staging: route api\.example\.com is used twice: give the environment routes of its own, or `routes = \[\]` and `workers_dev = true`$/,
  ],
  [
    'routes = [{ pattern = "https://api.example.com/*", zone_name = "example.com" }]',
    /route api\.example\.com is used twice/,
  ],
  ['route = "api.example.com"', /route api\.example\.com is used twice/],
  ['routes = []', /^env\.staging: routes must not be empty if workers_dev is false/],
] as const) {
  await test(`fails with a domain of production and ${staging} for staging`, () => {
    assert.match(check(withDomain.replace('routes = []\nworkers_dev = true', staging)), problem)
  })
}

const workflow = readFileSync('.github/workflows/deploy.yml', 'utf8')
const TOKEN = 'CLOUDFLARE_API_TOKEN: ${{ secrets.CLOUDFLARE_API_TOKEN }}'

for (const [before, instead, problem] of [
  ['permissions:', `env:\n  ${TOKEN}\npermissions:`, /only steps that deploy/],
  ['    env:\n', `    env:\n      ${TOKEN}\n`, /only steps that deploy/],
  ['- run: npm ci\n', `- run: npm ci\n        env:\n          ${TOKEN}\n`, /only steps that deploy/],
  [/if: github.*\n(?= +runs-on[^]*production)/, '', /must have if: github\.event_name/],
  [/ +if: github[^\n]*\n(?![^]*if: github)/, '', /must have if: github\.event_name/],
] as const) {
  await test(`fails with ${instead || 'nothing'} instead of ${before} in deploy.yml`, () => {
    assert.match(findProblems({ workflow: workflow.replace(before, instead) }).join('\n'), problem)
  })
}

for (const [before, instead, problem] of [
  ['preview_urls = false', '', /top level: preview_urls[^]*env\.staging: preview_urls/],
  ['"global_fetch_strictly_public"', '', /global_fetch_strictly_public/],
  ['compatibility_date = "2026-10-20"', 'compatibility_date = "2026-09-30"', /compatibility_date must be 2026-10-01/],
  ['redact_query_string = true', '', /redact_query_string/],
  ['head_sampling_rate = 1', 'head_sampling_rate = 0.1', /observability/],
  ['TOKEN_RATE_LIMIT = "600"', 'TOKEN_RATE_LIMIT = "6000"', /TOKEN_RATE_LIMIT announces 6000/],
  ['WORKER_NAME = "registrar-staging"', 'WORKER_NAME = "registrar"', /env\.staging: vars\.WORKER_NAME/],
  ['limit = 120, period = 60', 'limit = 60, period = 60', /STORE_PASSWORD_LIMITER allows 60 in 60 s/],
  ['limit = 10, period = 60', 'limit = 10, period = 10', /VERIFY_LIMITER allows 10 in 10 s/],
  ['name = "STORE_VERIFY_LIMITER"', 'name = "OTHER_LIMITER"', /top level: ratelimits must have STORE_VERIFY_LIMITER/],
  ['EVENT_RETENTION_DAYS = "90"', 'EVENT_RETENTION_DAYS = "6"', /EVENT_RETENTION_DAYS/],
  ['namespace_id = "1101"', 'namespace_id = "1001"', /env\.staging: ratelimits namespace 1001 is used twice/],
  ['database_name = "registrar-staging"', 'database_name = "registrar"', /database registrar is used twice/],
  ['ACCESS_AUD = ""', 'ACCESS_AUD = "a"', /both ACCESS_TEAM_DOMAIN and ACCESS_AUD/],
  ['ACCESS_TEAM_DOMAIN = ""', 'ACCESS_TEAM_DOMAIN = "http://a.example"', /must be a domain and not a URL/],
  ['DEFAULT_PLACE = "shared"', 'DEFAULT_PLACE = "mine"', /top level: vars\.DEFAULT_PLACE/],
  ['class_name = "StoreDatabase"', 'class_name = "Store"', /top level: STORES must be bound to StoreDatabase/],
  ['new_sqlite_classes', 'new_classes', /new_sqlite_classes/],
  [
    'mode = "immediate"',
    'mode = "deferred"',
    /top level: durable_objects\.code_update_strategy must have mode "immediate"/,
  ],
  ['"17 * * * *"', '"*/5 * * * *"', /crons/],
  [
    'class_name = "WebhookEndpoint"',
    'class_name = "Other"',
    /top level: WEBHOOK_ENDPOINTS must be bound to WebhookEndpoint/,
  ],
  [', "BulkChanges"]', ']', /migrations must create BulkChanges/],
] as const) {
  await test(`fails with ${instead || 'nothing'} instead of ${before}`, () => {
    assert.match(check(settings.replace(before, instead)), problem)
  })
}
