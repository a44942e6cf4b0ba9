/**
 * `npm run export -- FILE --store S --url U` exports the users of a store as CSV or NDJSON (docs/import.md). The
 * service streams the CSV of an operator; everything else is read page by page. FILE exists only when it is complete,
 * because an incomplete one could be mistaken for all users. Exit codes: 0 done, 2 nothing was written.
 */
import { once } from 'node:events'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { type Client, connect } from '../packages/import/client.ts'
import { newestId } from '../packages/import/created-by-run.ts'
import { csvLines, type Kind, listAll } from '../packages/import/export.ts'
import { GaveUp, NoService, Refused } from '../packages/import/request-errors.ts'
import { UnknownZone } from '../packages/import/time-zone.ts'
import { CutShort, endingAfter } from '../packages/import/whole-file.ts'
import { answerHelp } from './help.ts'
import { findTaken } from './npm-options.ts'
import { startProgress } from './progress.ts'
import { endOnSignal, goOnWithoutReader } from './signals.ts'
import { USER_FOLDER } from './user-folder.ts'

const USAGE = `npm run export -- FILE --store S --url U [--what users|product_accesses] [--spreadsheet]

FILE ends in .csv or .ndjson. The token of the store, or of an operator, is in the environment variable
REGISTRAR_TOKEN. --spreadsheet makes the file for Excel, in the language and the time zone of the store (docs/import.md).`

interface Options {
  path: string
  format: 'csv' | 'ndjson'
  kind: Kind
  isForSpreadsheet: boolean
}

answerHelp(USAGE)
goOnWithoutReader()
endOnSignal()
process.chdir(USER_FOLDER)
const progress = startProgress('KB')

try {
  const { options, client } = readOptions()
  // A second export of this name must not take this one's unfinished file for its own.
  const part = `${options.path}.${process.pid}.part`
  process.on('exit', () => {
    progress.end()
    rmSync(part, { force: true })
  })
  const bytes = await write(part, contentOf(client, options))
  renameSync(part, options.path)
  progress.end()
  console.log(`${options.path}: ${bytes} bytes.`)
} catch (error) {
  // A RangeError is an invalid option, a TypeError a lost connection, and an error with a code a file that Node cannot
  // write. Any other error is a defect and needs its stack.
  const isKnown = [Refused, GaveUp, NoService, UnknownZone, CutShort, RangeError, TypeError].some(
    (known) => error instanceof known,
  )
  if (!(error instanceof Error) || (!isKnown && !('code' in error))) throw error
  console.error(`${error.message}\nNothing was written.`)
  process.exitCode = 2
}

function readOptions(): { options: Options; client: Client } {
  const taken = findTaken('export', ['store', 'url', 'what', 'spreadsheet'])
  if (taken !== undefined) throw new RangeError(taken)
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      store: { type: 'string' },
      url: { type: 'string' },
      what: { type: 'string', default: 'users' },
      spreadsheet: { type: 'boolean', default: false },
    },
  })
  const [path = ''] = positionals
  const { store, url, what, spreadsheet } = values
  const format = (['csv', 'ndjson'] as const).find((known) => path.endsWith(`.${known}`))
  const kind = (['users', 'product_accesses'] as const).find((known) => known === what)
  const token = process.env['REGISTRAR_TOKEN'] ?? ''
  if (!format || !kind || !store || !url || positionals.length > 1) throw new RangeError(USAGE)
  if (token === '')
    throw new RangeError('REGISTRAR_TOKEN is not set. It must contain the token of the store or of an operator.')
  if (spreadsheet && format !== 'csv') throw new RangeError('--spreadsheet is for .csv files.')
  if (existsSync(path)) throw new RangeError(`${path} already exists.`)
  const client = connect({ url, store, token, onWait: progress.wait })
  return { client, options: { path, format, kind, isForSpreadsheet: spreadsheet } }
}

async function write(path: string, content: AsyncIterable<string | Uint8Array>): Promise<number> {
  // The file contains personal data, so only the owner may read it. One that is there already would keep its mode.
  rmSync(path, { force: true })
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  // Or a failure could remove the file before it is there, and leave it behind.
  await once(file, 'open')
  file.on('drain', () => progress.show(Math.ceil(file.bytesWritten / 1000)))
  await pipeline(content, file)
  return file.bytesWritten
}

async function* contentOf(
  client: Client,
  { format, kind, isForSpreadsheet }: Options,
): AsyncGenerator<string | Uint8Array> {
  if (format === 'csv')
    yield* client.isStoreToken
      ? csvLines(client, kind, { isForSpreadsheet })
      : csvOfService(client, kind, isForSpreadsheet)
  else for await (const record of listAll(client, kind)) yield `${JSON.stringify(record)}\n`
}

async function* csvOfService(client: Client, kind: Kind, isForSpreadsheet: boolean): AsyncGenerator<Uint8Array> {
  const newest = await newestId(client, kind)
  const { body } = await client.open(`/${kind}.csv${isForSpreadsheet ? '?spreadsheet=true' : ''}`)
  if (body !== null) yield* newest === undefined ? body : body.pipeThrough(endingAfter(newest))
}
