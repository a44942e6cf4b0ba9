/**
 * The borders that .oxlintrc.json guards: for each kind of file, imports that the linter must reject, and imports beside them
 * that it must allow. Each file below has all of its imports, one a line.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { it } from 'node:test'

interface Border {
  rejected: string[]
  allowed: string[]
}

const BORDERS: Record<string, Border> = {
  'src/modules/users/read-users.ts': {
    rejected: [
      '../../index.ts',
      '../../app.ts',
      '../../v1.ts',
      '../../v3.ts',
      '../../admin.ts',
      './routes.ts',
      '../tokens/admin-routes.ts',
      './docs.ts',
      '../events/event-docs.ts',
      '../../openapi/fields.ts',
      '../../openapi/document/document.ts',
      '../../http/hono.ts',
      '../../http/respond/create.ts',
      'hono',
      'hono/dev',
      'hono/utils/http-status',
      '@hono/zod-validator',
      'zod',
      'zod/mini',
    ],
    allowed: [
      'drizzle-orm',
      '../../change/commit.ts',
      '../../limits.ts',
      '../tokens/revoke-token.ts',
      './user-json.ts',
    ],
  },
  'src/modules/users/user-json.ts': {
    rejected: [
      '../../app.ts',
      './routes.ts',
      './docs.ts',
      '../../openapi/fields.ts',
      '../../http/hono.ts',
      'hono',
      'hono/dev',
      'hono/utils/http-status',
      '@hono/zod-validator',
      'zod',
      'drizzle-orm',
      'drizzle-orm/sqlite-core',
      'drizzle-orm/sqlite-core/columns',
    ],
    allowed: ['zod/mini', '../../db/schema.ts', './user-fields.ts'],
  },
  'src/modules/users/admin-routes.ts': {
    rejected: [
      '../../app.ts',
      './routes.ts',
      './public-docs.ts',
      '../../openapi/fields.ts',
      'zod',
      'hono',
      'drizzle-orm',
      'drizzle-orm/sqlite-core',
      'drizzle-orm/sqlite-core/columns',
    ],
    allowed: ['zod/mini', '@hono/zod-validator', '../../http/hono.ts', './create-user.ts'],
  },
  'src/modules/users/public-docs.ts': {
    rejected: [
      '../../app.ts',
      '../../openapi/document/document.ts',
      'hono',
      'hono/dev',
      'hono/utils/http-status',
      'drizzle-orm',
      'drizzle-orm/sqlite-core',
      'drizzle-orm/sqlite-core/columns',
    ],
    allowed: [
      'zod',
      './routes.ts',
      './docs.ts',
      '../../openapi/fields.ts',
      '../../http/app-env.ts',
      '../../http/middleware/bearer.ts',
    ],
  },
  'src/lib/a.ts': {
    rejected: [
      '../error-codes.ts',
      '../db/batch.ts',
      '../db/schema/users.ts',
      '../modules/users/read-users.ts',
      '../modules/users/passwords/passwords.ts',
    ],
    allowed: ['./json.ts', '../limits.ts'],
  },
  'src/db/a.ts': {
    rejected: [
      '../error-codes.ts',
      '../change/event.ts',
      'hono',
      'hono/dev',
      'hono/utils/http-status',
      '@hono/zod-validator',
      'zod',
      'zod/mini',
    ],
    allowed: ['./ids.ts', '../lib/json.ts', '../limits.ts', '../../drizzle/meta.json', 'drizzle-orm'],
  },
  'src/db/schema/a.ts': {
    rejected: ['../../change/event.ts', '../../error-codes.ts'],
    allowed: ['./users.ts', '../../lib/json.ts', '../../limits.ts'],
  },
  'src/change/a.ts': {
    rejected: [
      '../modules/users/read-users.ts',
      '../modules/users/passwords/passwords.ts',
      '../http/hono.ts',
      '../auth/scopes.ts',
      '../jobs/parts.ts',
      'zod/mini',
    ],
    allowed: [
      './event.ts',
      '../lib/json.ts',
      '../db/batch.ts',
      '../db/schema/users.ts',
      '../error-codes.ts',
      '../limits.ts',
      'drizzle-orm',
    ],
  },
  'src/jobs/a.ts': {
    rejected: [
      '../modules/users/read-users.ts',
      '../modules/users/passwords/passwords.ts',
      '../http/hono.ts',
      '../change/event.ts',
      'hono',
      '@hono/zod-validator',
    ],
    allowed: ['./parts.ts', '../lib/json.ts', '../db/batch.ts', '../db/schema/users.ts', '../limits.ts'],
  },
  'src/auth/a.ts': {
    rejected: [
      '../modules/users/read-users.ts',
      '../modules/users/passwords/passwords.ts',
      '../http/hono.ts',
      '../formats/etags.ts',
      'hono',
      'hono/dev',
      'hono/utils/http-status',
      'zod',
    ],
    allowed: [
      './scopes.ts',
      '../lib/json.ts',
      '../db/batch.ts',
      '../change/event.ts',
      '../limits.ts',
      '../calendar.ts',
    ],
  },
  'src/formats/a.ts': {
    rejected: [
      '../modules/users/read-users.ts',
      '../modules/users/passwords/passwords.ts',
      '../error-codes.ts',
      '@hono/zod-validator',
      'zod',
    ],
    allowed: ['./etags.ts', '../calendar.ts', 'zod/mini'],
  },
  'src/http/a.ts': {
    rejected: [
      '../modules/users/read-users.ts',
      '../modules/users/passwords/passwords.ts',
      '../openapi/fields.ts',
      '../jobs/parts.ts',
      '../app.ts',
      '../v1.ts',
      'zod',
      'hono',
      'drizzle-orm',
      'drizzle-orm/sqlite-core',
      'drizzle-orm/sqlite-core/columns',
    ],
    allowed: [
      './middleware/body.ts',
      '../error-codes.ts',
      '../lib/json.ts',
      '../db/batch.ts',
      '../db/schema/users.ts',
      '../auth/scopes.ts',
    ],
  },
  'src/http/middleware/a.ts': {
    rejected: ['../../modules/users/read-users.ts', '../../openapi/fields.ts', '../../admin.ts', 'drizzle-orm'],
    allowed: ['./body.ts', '../errors/api-error.ts', '../app-env.ts', '../../limits.ts', '../../change/event.ts'],
  },
  'src/openapi/a.ts': {
    rejected: [
      '../modules/users/docs.ts',
      '../db/batch.ts',
      '../db/schema/users.ts',
      '../v1.ts',
      'hono',
      'hono/dev',
      'hono/utils/http-status',
      'drizzle-orm',
    ],
    allowed: [
      './fields.ts',
      '../http/app-env.ts',
      '../http/middleware/bearer.ts',
      '../lib/json.ts',
      '../error-codes.ts',
      '../limits.ts',
      'zod',
    ],
  },
  'src/openapi/document/a.ts': {
    rejected: ['hono', 'hono/dev', 'hono/utils/http-status', 'drizzle-orm', 'drizzle-orm/sqlite-core'],
    allowed: ['../fields.ts', '../../modules/users/docs.ts', '../../v1.ts', 'zod'],
  },
  'src/v1.ts': {
    rejected: [
      './modules/users/docs.ts',
      './modules/events/event-docs.ts',
      './openapi/fields.ts',
      './modules/crons/hourly.ts',
      'drizzle-orm',
      'drizzle-orm/sqlite-core',
      'drizzle-orm/sqlite-core/columns',
    ],
    allowed: ['./modules/users/routes.ts', './modules/webhooks/deliveries/routes.ts', './http/hono.ts', './limits.ts'],
  },
  'src/index.ts': {
    rejected: ['./v1.ts', './limits.ts', './modules/users/read-users.ts', './http/hono.ts'],
    allowed: ['./app.ts', './bindings.ts', './modules/crons/hourly.ts', './modules/webhooks/deliveries/object.ts'],
  },
  'packages/client/src/a.ts': {
    rejected: ['node:fs', '../package.json', '../../import/run.ts'],
    allowed: ['./error.ts'],
  },
  'packages/import/a.ts': {
    rejected: ['node:fs', '../console/src/main.tsx', '../../scripts/import.ts'],
    allowed: ['./run.ts', '../../src/calendar.ts'],
  },
}

it('the linter rejects each import across a border, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-lint-'))
  try {
    copyFileSync('.oxlintrc.json', join(folder, '.oxlintrc.json'))
    for (const [file, { rejected, allowed }] of Object.entries(BORDERS)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      const lines = [...rejected, ...allowed].map((from, i) => `import { Hono as Hono${i} } from '${from}'\n`)
      writeFileSync(join(folder, file), lines.join(''))
    }
    const oxlint = resolve('node_modules/.bin/oxlint')
    const { stdout } = spawnSync(oxlint, ['--format', 'unix'], { cwd: folder, encoding: 'utf8' })
    const found: Record<string, number[]> = {}
    for (const [, file = '', line] of stdout.matchAll(/^(.+?):(\d+):\d+: .*no-restricted-imports/gm))
      (found[file] ??= []).push(Number(line))
    for (const [file, { rejected, allowed }] of Object.entries(BORDERS)) {
      const imports = [...rejected, ...allowed]
      const right = found[file]?.map((line) => imports[line - 1] ?? '')
      assert.deepEqual(new Set(right), new Set(rejected), file)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
