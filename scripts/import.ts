/**
 * `npm run import -- FILE --store S --url U` imports users into a store from CSV or NDJSON (docs/import.md).
 * Exit codes: 0 all rows imported, 1 some rows failed, 2 nothing was sent, 3 stopped before the end, 130 interrupted.
 */
import { existsSync, rmSync } from 'node:fs'
import { type FileKeeper, filesFor, fileSource, keepFiles, loadSaved } from './import-files.ts'
import { changeFile } from './import-changes.ts'
import { type Options, readOptions, Stop } from './import-options.ts'
import {
  commonTexts,
  describe,
  describeHidden,
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
import { inspect, type Inspection } from '../packages/import/inspect.ts'
import { type Product, readProducts } from '../packages/import/products.ts'
import { recognize } from '../packages/import/recognize.ts'
import { runImport } from '../packages/import/run.ts'
import type { Source } from '../packages/import/source.ts'
import type { FailedRow, Results, State } from '../packages/import/state.ts'
import type { SentRow } from '../packages/import/undo-record.ts'
import { readTimeZone } from '../packages/import/time-zone.ts'
import { connectOrStop, toStop } from './import-stop.ts'
import { startProgress } from './progress.ts'
import { runUndoCommand } from './import-undo.ts'

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
  const { source, rename, reading } = read
  const inspection = await check(path, read)
  console.log(`${path}: ${describe(inspection)}`)
  if (inspection.hiddenRows > 0) console.log(describeHidden(inspection.hiddenRows))
  for (const [column, field] of Object.entries(rename))
    console.log(`The column "${column}" is ${field === NO_FIELD ? 'ignored' : `read as ${field}`}.`)
  for (const column of inspection.header.filter((name) => IGNORED.has(rename[name] ?? name) && !name.startsWith('_')))
    console.log(`The column "${column}" is ignored.`)
  for (const text of splitTexts(inspection, rename)) console.log(text)
  for (const column of read.ignoredDays)
    console.log(
      `The column "${column}" has days, but is ignored: the products decide how long each access lasts. For its days, give it the heading product_due_date.`,
    )
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
  const files = filesFor(path, inspection, isDryRun)
  const run = { url, store, on_existing: modeOf(options), reading }
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
}

/** Recognizes the encoding and the columns, as the console does. An unknown column stays one, and is an error. */
async function openOrStop(options: Options): Promise<Read> {
  const { path, encoding, dates, sheet, headings, hiddenRows, largeFile } = options
  return stopOnFileError(path, async () => {
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
    const isProduct = (name: string) => ['product', 'product_id'].includes(rename[name] ?? name)
    const grantsProducts = head.format === 'ndjson' || head.columns.some(isProduct)
    return {
      source: grantsProducts ? { ...source, timeZone: await timeZoneOf(options) } : source,
      reading: readingOf(options, sheets.length > 1 ? read.sheet : undefined),
      rename,
      ignoredDays: ignoredDays(head, rename),
    }
  })
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

/** A run continues only with the same ones: with others, the rest of the file would be read in another way. */
function readingOf({ dates, headings, hiddenRows, ignored }: Options, sheet: string | undefined): string {
  const columns = [...new Set(ignored)].toSorted().map((name) => `--ignore ${JSON.stringify(name)}`)
  const named = sheet === undefined ? [] : [`--sheet ${JSON.stringify(sheet)}`]
  const row = [...(hiddenRows ? ['--hidden-rows'] : []), ...(headings === undefined ? [] : [`--headings ${headings}`])]
  return [...named, ...row, ...(dates ? [`--dates ${dates}`] : []), ...columns].join(' ')
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
  return products
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

async function check(path: string, { source, rename }: Read): Promise<Inspection> {
  const progress = startProgress('KB')
  return stopOnFileError(path, async () => {
    return await inspect(source, { rename, onBytes: (bytes) => progress.show(inKB(bytes), inKB(source.size)) })
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

/** Returns the state of an unfinished run of the same import. Another import's state is an error, or it would be lost. */
function findSaved(options: Options, inspection: Inspection, reading: string): ReturnType<typeof loadSaved> {
  const { path, store, url, isRestart } = options
  const { state: file } = filesFor(path, inspection, false)
  if (isRestart) rmSync(file, { force: true })
  const saved = loadOrStop(file)
  if (!saved) return undefined
  const { run, state } = saved
  const differs = [
    state.fingerprint === inspection.fingerprint && state.rows === inspection.rows ? undefined : 'another file content',
    run.store === store ? undefined : `the store ${run.store}`,
    run.url === url ? undefined : run.url,
    run.on_existing === modeOf(options) ? undefined : `--on-existing ${run.on_existing}`,
    run.reading === reading
      ? undefined
      : run.reading || 'none of --sheet, --hidden-rows, --headings, --dates and --ignore',
  ].filter((difference) => difference !== undefined)
  if (differs.length === 0) return saved
  throw new Stop(
    2,
    `${file} belongs to an unfinished run with ${differs.join(' and ')}. Finish that run, or start again with --restart.`,
  )
}

/** As it is written behind --on-existing. */
function modeOf({ onExisting, only, isNeverShorten }: Options): string {
  return `${onExisting}${only === undefined ? '' : ` --only ${only}`}${isNeverShorten ? ' --never-shorten' : ''}`
}

function loadOrStop(file: string): ReturnType<typeof loadSaved> {
  try {
    return loadSaved(file)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Stop(2, `${file} is not the state of an import. Remove it, or start again with --restart.`)
  }
}
