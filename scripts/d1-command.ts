/** Commands of wrangler on the database, here or on Cloudflare. */
import { spawnSync } from 'node:child_process'
import { findTaken } from './npm-options.ts'
import { pathOfUser } from './user-folder.ts'
import { WRANGLER } from './wrangler.ts'

/** Which database: the arguments that choose it. */
export type Place = string[]

/** Reads `FILE [--env NAME] [--local]` of a command of npm. Ends the process if the arguments are others. */
export function placeOf(command: string, args: string[], usage: string): { file: string; place: Place } {
  const taken = findTaken(command, ['env'])
  if (taken !== undefined) return fail(taken)
  const rest = [...args]
  const named = take(rest, '--env')
  if (named === null) return fail(usage)
  const env = named ?? process.env['CLOUDFLARE_ENV'] ?? ''
  const isLocal = rest.includes('--local')
  const [file, ...others] = rest.filter((argument) => argument !== '--local')
  if (file === undefined || file.startsWith('-') || others.length > 0) return fail(usage)
  console.log(placeText(env, isLocal))
  return { file: pathOfUser(file), place: [isLocal ? '--local' : '--remote', `--env=${env}`] }
}

/** Printed first: npm takes a `--local` that stands before the `--`, and the command cannot notice. */
export function placeText(env: string, isLocal: boolean): string {
  return isLocal ? 'The local database.' : `The database of ${env || 'production'}, on Cloudflare.`
}

/** Null if the value is missing: an option without its value must not mean production. */
function take(args: string[], name: string): string | null | undefined {
  const at = args.findIndex((argument) => argument === name || argument.startsWith(`${name}=`))
  if (at === -1) return undefined
  const [argument = '', value] = args.slice(at, at + 2)
  args.splice(at, argument === name ? 2 : 1)
  if (argument !== name) return argument.slice(name.length + 1)
  return value === undefined || value.startsWith('-') ? null : value
}

/** Runs `wrangler d1 …` and returns what it prints. Ends the process with wrangler's message if it fails. */
export function d1(command: string[], place: Place): string {
  const child = spawnSync(process.execPath, [WRANGLER, 'd1', ...command, ...place], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_HIDE_BANNER: 'true' },
    maxBuffer: 1024 * 1024 * 1024,
  })
  if (child.status !== 0) fail(`${child.stdout}${child.stderr}`)
  return child.stdout
}

/** The rows of a query that only reads. */
export function rowsOf<T>(sql: string, place: Place): T[] {
  return rowsOfEach<T>([sql], place)[0] ?? []
}

/** The rows of each query, with one call of wrangler, which takes seconds. */
export function rowsOfEach<T>(queries: string[], place: Place): T[][] {
  const command = `--command=${queries.join(';')}`
  const answers: { results: T[] }[] = JSON.parse(d1(['execute', 'DB', '--json', '--yes', command], place))
  return answers.map(({ results }) => results)
}

export function fail(message: string): never {
  console.error(message.trim())
  process.exit(1)
}
