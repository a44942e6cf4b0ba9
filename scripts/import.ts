/**
 * `npm run import -- FILE --store S --url U` imports users into a store from CSV or NDJSON (docs/import.md).
 * Exit codes: 0 all rows imported, 1 some rows failed, 2 nothing was sent, 3 stopped before the end, 130 interrupted.
 */
import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { type FileKeeper, filesFor, fileSource, keepFiles } from './import-files.ts'
import { changeFile } from './import-changes.ts'
import { type Names, readNames, writeNames } from './import-names.ts'
import { type Options, readOptions, Stop } from './import-options.ts'
import {
  brokenText,
  commonTexts,
  describe,
  describeHidden,
  ignoredStatusText,
  sharedEmailTexts,
  splitTexts,
  summarize,
  unclearText,
} from './import-output.ts'
import type { Change } from '../packages/import/changes.ts'
import { commonFaults } from '../packages/import/common-faults.ts'
import type { Client } from '../packages/import/client.ts'
import { CUSTOM_FIELD, IGNORED, PRODUCTS, TEXTS } from '../packages/import/fields.ts'
import { readCustomFields } from '../packages/import/custom-fields.ts'
import { FileError } from '../packages/import/file-error.ts'
import { type Head, readHead, valuesIn } from '../packages/import/head.ts'
import { type CustomField, guessColumns, NO_FIELD } from '../packages/import/headings.ts'
import { ignoredDays } from '../packages/import/ignored-days.ts'
import { type IgnoredStatus, ignoredStatuses } from '../packages/import/ignored-statuses.ts'
import { inspect, type Inspection } from '../packages/import/inspect.ts'
import { isNamedExport } from '../packages/import/own-accesses.ts'
import { type Product, readProducts } from '../packages/import/products.ts'
import { recognize } from '../packages/import/recognize.ts'
import { runImport } from '../packages/import/run.ts'
import type { Source } from '../packages/import/source.ts'
import type { FailedRow, Results, State } from '../packages/import/state.ts'
import type { SentRow } from '../packages/import/undo-record.ts'
import { readTimeZone } from '../packages/import/time-zone.ts'
import { FULL_NAME } from '../packages/import/whole-name.ts'
import { withAliases } from './import-products.ts'
import { findSaved, modeOf, readingOf } from './import-saved.ts'
import { connectOrStop, lockOrStop, toStop } from './import-stop.ts'
import { startProgress } from './progress.ts'
import { goOnWithoutReader } from './signals.ts'
import { runUndoCommand } from './import-undo.ts'
import { USER_FOLDER } from './user-folder.ts'

goOnWithoutReader()
process.chdir(USER_FOLDER)
const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupt.abort(new Stop(130, 'Interrupted.')))

try {
  const options = readOptions()
  process.exitCode = 'undo' in options ? await runUndoCommand(options, interrupt.signal) : await main(options)
} catch (error) {
  console.error(error instanceof Stop ? error.message : error)
  process.exitCode = error instanceof Stop ? error.exitCode : 3
}

async function main(options: Options): Promise<number> {
  const { path, store, url, token, onExisting, only, isDryRun, isNeverShorten: neverShorten } = options
  const read = await openOrStop(options)
  const { source, rename, reading, names } = read
  const inspection = await check(path, read)
  console.log(`${path}: ${describe(inspection)}`)
  if (inspection.hiddenRows > 0) console.log(describeHidden(inspection.hiddenRows))
  for (const [column, field] of Object.entries(rename))
    console.log(`The column "${column}" is ${field === NO_FIELD ? 'ignored' : `read as ${field}`}.`)
  for (const column of inspection.header.filter((name) => IGNORED.has(rename[name] ?? name) && !name.startsWith('_')))
    console.log(`The column "${column}" is ignored.`)
  for (const text of splitTexts(inspection, rename)) console.log(text)
  for (const text of names?.check(path) ?? []) console.log(text)
  if (inspection.broken) console.log(brokenText(inspection.broken))
  for (const column of read.ignoredDays)
    console.log(
      `The column "${column}" has days, but is ignored: the products decide how long each access lasts. For its days, give it the heading product_due_date.`,
    )
  for (const status of read.ignoredStatuses) console.log(ignoredStatusText(status))
  if (inspection.grantsProducts)
    console.log(`Due dates without a time zone are in ${source.timeZone}. This is the time zone of the store.`)
  if (inspection.pastDues)
    console.log(
      `Due dates that have passed: ${inspection.pastDues.count}, first in row ${inspection.pastDues.first}. These accesses end at once.`,
    )
  for (const text of sharedEmailTexts(inspection, options)) console.log(text)
  if (onExisting === 'update' && inspection.sharedEmails?.renames.count && !isDryRun && !options.isRename)
    throw new Stop(
      2,
      'People who share an email are one person here. Give each an email, or say with --rename that the names of later rows are right.\nNothing was sent.',
    )
  const products = inspection.grantsProducts && !inspection.hasIds ? await productsFor(options) : undefined
  if (options.aliases.length > 0 && !products)
    throw new Stop(2, '--product: the file names no products, or the token lacks the scope products:read.')
  const files = filesFor(path, inspection, isDryRun)
  const keepsNames = existsSync(files.names)
  const hasWholeNames = isDryRun && hasField(inspection.header, rename, FULL_NAME) && !isNamedExport(inspection.header)
  const run = { url, store, on_existing: modeOf(options), reading }
  if (!isDryRun) lockOrStop(path)
  const saved = isDryRun ? undefined : findSaved(options, inspection, reading)
  if (!saved && !isDryRun && !options.isRestart && existsSync(files.failed))
    throw new Stop(
      2,
      `${files.failed} exists from an earlier run. Import it, remove it, or overwrite it with --restart.`,
    )
  if (saved) console.log(`Continuing after row ${saved.state.next}.`)

  const progress = startProgress('rows', saved?.state.next)
  const client = connectOrStop({ url, store, token, signal: interrupt.signal, onWait: progress.wait })
  let kept: FileKeeper | undefined
  // The files are created after the token was checked, so that a rejected run leaves none.
  const isUpdate = isDryRun && onExisting === 'update'
  const changes = isUpdate
    ? changeFile(files.before, inspection, { rename, zone: source.timeZone ?? 'UTC' })
    : undefined
  const keeper = {
    keepChanges: async (found: Change[], state: State) =>
      (await (isDryRun ? changes : kept)?.keepChanges?.(found, state)) ?? found,
    keepSent: async (rows: SentRow[], state: State) => kept?.keepSent?.(rows, state),
    keepResults: async (results: Results, state: State) => kept?.keepResults?.(results, state),
    keepFailed: async (rows: FailedRow[]) => {
      for (const { row, reasons } of rows) common.add(row.line, reasons)
      await kept?.keepFailed(rows)
    },
    saveState: async (state: State) => {
      if (!kept && hasWholeNames) await writeNames(files.names, source, inspection, { rename, names })
      kept ??= await keepFiles(files, inspection, run, saved)
      if (!isDryRun) await kept.saveState(state)
    },
  }
  const common = commonFaults()
  const start = performance.now()
  const onProgress = ({ next, rows, failed }: State): void =>
    progress.show(next, rows, failed > 0 ? `, ${failed} failed` : '')
  try {
    const state = await runImport({
      source,
      inspection,
      rename,
      names,
      products,
      client,
      keeper,
      onExisting,
      only,
      dryRun: isDryRun,
      neverShorten,
      state: saved?.state,
      onProgress,
    })
    progress.end()
    const hasJournal = !isDryRun && (await kept?.finish(state)) === true
    summarize(state, options, {
      seconds: (performance.now() - start) / 1000,
      failed: files.failed,
      before: saved?.state.next ?? 0,
    })
    for (const text of commonTexts(common, saved?.state.next ?? 0)) console.log(text)
    changes?.print()
    if (hasWholeNames)
      console.log(
        keepsNames
          ? `${basename(files.names)} is kept as it is, with the corrections that it may have. Remove it to have it written again.`
          : `How each whole name is split is in ${basename(files.names)}. Correct it there, and import with --names ${files.names}.`,
      )
    if (hasJournal) console.log(`To take this import back: npm run import -- --undo ${files.journal} --dry-run`)
    return state.failed > 0 ? 1 : 0
  } catch (error) {
    progress.end()
    throw toStop(error, kept !== undefined && !isDryRun)
  }
}

interface Read {
  source: Source
  /** The columns that have another name than their field. */
  rename: Record<string, string>
  /** The options that decide how the file is read, as they can be written. */
  reading: string
  ignoredDays: string[]
  ignoredStatuses: IgnoredStatus[]
  /** How whole names are split, by `--names`. */
  names: Names | undefined
}

/** Recognizes the encoding and the columns, as the console does. An unknown column stays one, and is an error. */
async function openOrStop(options: Options): Promise<Read> {
  const { path, encoding, dates, sheet, headings, hiddenRows, largeFile } = options
  return stopOnFileError(path, async () => {
    // A pipe is empty when it is read a second time.
    if (!statSync(path).isFile())
      throw new Stop(
        2,
        `${path} is no file. The command reads it more than once, so write what a pipe brings into a file first.`,
      )
    const bytes = fileSource(path)
    const correction = { dates, sheet, headings, hiddenRows, largeFile }
    const read = await recognize(bytes, { ...correction, ...(encoding !== undefined && { encoding }) })
    // Other encodings than UTF-8 and UTF-16 can only be guessed.
    const isGuess = read.kind === 'text' && encoding === undefined && !read.encoding.startsWith('utf-')
    const recognized = isGuess ? await recognize(bytes, { ...correction, encoding: 'utf-8' }) : read
    const { source, kind, sheets } = recognized
    if (kind === 'text' && (sheet !== undefined || hiddenRows))
      throw new Stop(2, `${hiddenRows ? '--hidden-rows' : '--sheet'} is for workbooks.`)
    if (sheets.length > 1) console.log(`The sheet "${read.sheet}" is read. The workbook has ${sheets.join(', ')}.`)
    if (recognized.headings > (recognized.firstRows[0]?.line ?? 0))
      console.log(`The headings are in row ${recognized.headings}. If they are not, name the row with --headings.`)
    const head = await readHead(source)
    const rename = await renameOrStop(head, options)
    const grantsProducts =
      head.format === 'ndjson' || ['product', 'product_id'].some((field) => hasField(head.columns, rename, field))
    if (options.names !== undefined && !hasField(head.columns, rename, FULL_NAME))
      throw new Stop(2, '--names: the file has no column with whole names.')
    const names = options.names === undefined ? undefined : await readNames(options.names, rename)
    return {
      source: grantsProducts ? { ...source, timeZone: await timeZoneOf(options) } : source,
      reading: readingOf(options, sheets.length > 1 ? read.sheet : undefined, names),
      rename,
      names,
      ignoredDays: ignoredDays(head, rename),
      ignoredStatuses: ignoredStatuses(head, rename),
    }
  })
}

function hasField(columns: string[], rename: Record<string, string>, field: string): boolean {
  return columns.some((column) => (rename[column] ?? column) === field)
}

/** Maps the columns that have another name than their field, and those that are ignored. */
async function renameOrStop(head: Head, options: Options): Promise<Record<string, string>> {
  const { format, columns } = head
  const { ignored } = options
  if (format !== 'csv')
    return Object.fromEntries(ignored.filter((name) => name !== '*').map((name) => [name, NO_FIELD]))
  const read = columns.filter((name) => !ignored.includes(name))
  const guess = guessColumns(read, format, await customFieldsFor(head, read, options), valuesIn(head))
  const [question] = guess.unclear
  if (question) throw new Stop(2, `${options.path}: ${unclearText(question)}\nNothing was sent.`)
  const fields = Object.entries(guess.fields)
  const isIgnored = ([name, field]: [string, string]): boolean =>
    guess.ignored.includes(name) || (ignored.includes('*') && field === NO_FIELD && !isKnown(name))
  return Object.fromEntries([
    ...fields.filter(([name, field]) => field !== NO_FIELD && field !== name),
    ...fields.filter(isIgnored).map(([name]) => [name, NO_FIELD]),
    ...columns.filter((name) => ignored.includes(name)).map((name) => [name, NO_FIELD]),
  ])
}

function isKnown(name: string): boolean {
  return IGNORED.has(name) || TEXTS.has(name) || PRODUCTS.includes(name) || name.startsWith(CUSTOM_FIELD)
}

/** Returns none if the headings are names of the API, so that such a file needs no request and no further scope. */
async function customFieldsFor(head: Head, columns: string[], options: Options): Promise<CustomField[]> {
  const { fields, unclear } = guessColumns(columns, 'csv', [], valuesIn(head))
  const guessed = Object.entries(fields).filter(([column]) => !IGNORED.has(column))
  if (unclear.length === 0 && guessed.every(([column, field]) => field === column)) return []
  const known = await readFirst('custom fields', options, readCustomFields)
  if (!known && guessed.some(([, field]) => field === NO_FIELD))
    console.log('The labels of the custom fields are not known: the token lacks the scope products:read.')
  return known ?? []
}

/** Undefined if the token may not read them: the file must then name products by their slugs. */
async function productsFor(options: Options): Promise<Product[] | undefined> {
  const products = await readFirst('products', options, readProducts)
  if (!products)
    console.log('Products are found by their slugs only: for their names, the token lacks the scope products:read.')
  return products && withAliases(products, options.aliases)
}

function timeZoneOf(options: Options): Promise<string> {
  return readFirst('store', options, readTimeZone)
}

async function readFirst<T>(
  unit: string,
  { url, store, token }: Options,
  read: (client: Client) => Promise<T>,
): Promise<T> {
  const progress = startProgress(unit)
  const client = connectOrStop({ url, store, token, signal: interrupt.signal, onWait: progress.wait })
  try {
    return await read(client)
  } catch (error) {
    throw toStop(error, false)
  } finally {
    progress.end()
  }
}

async function check(path: string, { source, rename, names }: Read): Promise<Inspection> {
  const progress = startProgress('KB')
  return stopOnFileError(path, async () => {
    return await inspect(source, { rename, names, onBytes: (bytes) => progress.show(inKB(bytes), inKB(source.size)) })
  }).finally(() => progress.end())
}

async function stopOnFileError<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FileError) throw new Stop(2, `${path}, ${error.message}\nNothing was sent.`)
    if (error instanceof Error && 'code' in error) throw new Stop(2, `${path} cannot be read: ${error.message}`)
    throw error
  }
}

function inKB(bytes: number): number {
  return Math.ceil(bytes / 1000)
}
