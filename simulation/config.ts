/** What the Worker is deployed with, read from its own configuration, so that nothing is told twice. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** The Worker's entry point. */
export const ENTRY = new URL('../src/index.ts', import.meta.url).href

interface Section {
  name: string
  values: Record<string, string>
}

/** As much of TOML as wrangler.toml uses. */
function readSections(): Section[] {
  const sections: Section[] = [{ name: '', values: {} }]
  for (const line of readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').split('\n')) {
    const [, name] = /^\[+([\w.]+)\]+$/.exec(line) ?? []
    if (name !== undefined) sections.push({ name, values: {} })
    const [, key, value] = /^(\w+) = "?(.*?)"?$/.exec(line) ?? []
    const section = sections.at(-1)
    if (section && key !== undefined && value !== undefined) section.values[key] = value
  }
  return sections
}

const sections = readSections()

function each(name: string, key: string): string[] {
  return sections.filter((section) => section.name === name).map(({ values }) => values[key] ?? '')
}

export const CONFIG = {
  databases: each('d1_databases', 'binding'),
  namespaces: each('kv_namespaces', 'binding'),
  queues: sections
    .filter(({ name }) => name === 'queues.producers')
    .map(({ values: { binding = '', queue = '' } }) => ({ binding, queue })),
  consumers: new Map(
    sections
      .filter(({ name }) => name === 'queues.consumers')
      .map(({ values }) => [
        values['queue'] ?? '',
        {
          maxRetries: Number(values['max_retries'] ?? 3),
          retryDelaySeconds: Number(values['retry_delay'] ?? 0),
          deadLetters: values['dead_letter_queue'],
        },
      ]),
  ),
  limiters: sections
    .filter(({ name }) => name === 'ratelimits')
    .map(({ values: { name = '', simple = '' } }) => ({ name, limit: Number(/limit = (\d+)/.exec(simple)?.[1]) })),
  vars: sections.find(({ name }) => name === 'vars')?.values ?? {},
  crons: [...(sections.find(({ name }) => name === 'triggers')?.values['crons'] ?? '').matchAll(/"(.+?)"/g)].map(
    ([, cron]) => cron ?? '',
  ),
}

/** The text of all migrations. */
export function readMigrations(): string {
  const directory = join(ROOT, each('d1_databases', 'migrations_dir')[0] ?? 'drizzle')
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => readFileSync(join(directory, file), 'utf8').replaceAll('--> statement-breakpoint', ''))
    .join('\n')
}
