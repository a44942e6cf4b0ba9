/** The files that are generated from the sources, with their content. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { typesOfDocument } from '../packages/client/types-of-document.ts'
import './worker-modules.ts'
import './declared-statements.ts'
import { EVENT_TYPES, EVENTS, type EventType, TEST_EVENT } from '../src/change/event-types.ts'
import { EVENT_TEXTS, TEST_EVENT_TEXT } from '../src/modules/events/event-texts.ts'
import { ERROR_TYPES, errorKinds } from '../src/error-codes.ts'
import { MAX_LENGTH, PLAIN_FIELDS, REQUIRED_FIELDS } from '../src/modules/users/user-fields.ts'
import { markdownTable, replaceGenerated } from './markdown.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version }: { version: string } = JSON.parse(read('package.json'))

function errorsTable(): string {
  const rows = Object.entries(errorKinds).map(([code, { status, docs }]) => [
    String(status),
    ERROR_TYPES[status],
    `\`${code}\``,
    docs?.when ?? '',
  ])
  return markdownTable(['Status', 'Type', 'Code', 'Returned when'], rows)
}

function eventsTable(idsOf: Readonly<Record<string, object>>): string {
  const shownBy = (type: EventType) => {
    const { subject, shows } = EVENTS[type]
    return [...Object.keys(idsOf[subject] ?? {}), ...(shows === 'ids' ? [] : shows.split(' and '))]
  }
  const rows = EVENT_TYPES.map((type) => [
    `\`${type}\``,
    EVENT_TEXTS[type],
    shownBy(type)
      .map((name) => `\`${name}\``)
      .join(', '),
  ])
  rows.push([`\`${TEST_EVENT}\``, TEST_EVENT_TEXT, '`webhook_endpoint_id`'])
  return markdownTable(['Type', 'What has happened', '`data`'], rows)
}

/** The columns of an import that are fields of a user. */
function userFieldsTable(): string {
  const rows = PLAIN_FIELDS.map((field) => [
    `\`${field}\``,
    REQUIRED_FIELDS.some((each) => each === field) ? 'yes' : 'no',
    String(MAX_LENGTH[field]),
  ])
  return markdownTable(['Column', 'Required', 'Characters'], rows)
}

export const MIGRATION_FILES = 'src/db/migration-files.ts'

/** What is in drizzle/, for the bundler, which finds only files that a module imports. */
export function migrationFiles(): string {
  const names = readdirSync(join(root, 'drizzle')).filter((name) => name.endsWith('.sql'))
  const files = names.toSorted().map((name, n) => ({ name, text: `text${n}` }))
  return [
    '/** The files of drizzle/ in their order. `npm run db:generate` writes it. */',
    ...files.map(({ name, text }) => `import ${text} from '../../drizzle/${name}'`),
    '',
    'export const MIGRATIONS = [',
    ...files.map(({ name, text }) => `  { name: '${name}', text: ${text} },`),
    '] as const',
    '',
  ].join('\n')
}

/** By path. The service's modules are imported once worker-modules.ts, above, has made Node able to load them. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const { documentText } = await import('../src/openapi/document/document.ts')
  const { ids } = await import('../src/modules/events/event-docs.ts')
  const { sqlPage } = await import('./sql-page.ts')
  const guide = namesClient(read('docs/guide.md'))
  const document = documentText(guide)
  return {
    [MIGRATION_FILES]: migrationFiles(),
    'src/assets/openapi.json': document,
    'packages/client/src/schema.ts': await typesOfDocument(document),
    'packages/client/src/version.ts': `/** That of package.json, which a browser cannot read. */\nexport const VERSION = '${version}'\n`,
    'docs/guide.md': guide,
    'docs/errors.md': replaceGenerated(read('docs/errors.md'), errorsTable()),
    'docs/events.md': replaceGenerated(read('docs/events.md'), eventsTable(ids)),
    'docs/import.md': replaceGenerated(read('docs/import.md'), userFieldsTable()),
    'docs/sql.md': await sqlPage(),
    'docs/engineers.md': replaceGenerated(read('docs/engineers.md'), benchSummary(read('tools/bench/results.md'))),
  }
}

/** The address of the client has its version, because npm keeps the hash of what it got at an address. */
function namesClient(page: string): string {
  return page.replaceAll(/registrar-client(?:-\d+\.\d+\.\d+)?\.tgz/g, `registrar-client-${version}.tgz`)
}

/** The first table of the last run, so that the page shows no other run. */
function benchSummary(results: string): string {
  const [, table = ''] = /^## Summary\n\n((?:\|.*\n)+)/m.exec(results) ?? []
  const [head = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | '))
  return markdownTable(head, rows)
}
