/** Reads the command line of `npm run import`. */
import { parseArgs } from 'node:util'
import type { OnExisting } from '../packages/import/batches.ts'
import { encodingNamed } from '../packages/import/encoding.ts'
import type { Product } from '../packages/import/products.ts'
import type { DateOrder } from '../packages/import/source.ts'
import { BadToken, tokenProblem } from '../packages/import/token-text.ts'
import { answerHelp } from './help.ts'
import { findTaken } from './npm-options.ts'

const USAGE = `npm run import -- FILE --store S --url U [--dry-run] [--on-existing fail|skip|update] [--only update] [--never-shorten] [--rename] [--restart]
  [--encoding NAME] [--dates dmy|mdy] [--sheet NAME] [--hidden-rows] [--large-files] [--headings ROW] [--ignore COLUMN]...
  [--names NAMES] [--product TEXT=SLUG]...
npm run import -- --undo FILE.state [--dry-run]

FILE is CSV, NDJSON or an Excel workbook (.xlsx). --encoding is any name of the WHATWG Encoding Standard, such as windows-1252
or macintosh. --dates says what 01/02/2027 means. --only update is
--on-existing update, but leaves out rows that would create somebody. --rename lets rows with the same email
rename the person. With --never-shorten, an access that ends later, or never, keeps its date. --headings is the number of the row with the headings. --ignore leaves out a column, and --ignore '*' all unknown ones.
--names is a file that says how whole names are split; a dry run writes it. --product says which product the file means by
a text, such as --product "Inlgés B1=ingles-b1".
--undo takes an import back: it closes what was granted, puts back what was changed, and erases who was created, unless
somebody has changed it since. With --dry-run it says what it would do.

The token of the store, or of an operator, is in the environment variable REGISTRAR_TOKEN.`

export interface Options {
  path: string
  store: string
  url: string
  token: string
  onExisting: OnExisting
  /** Rows that would create somebody are left out. */
  only: 'update' | undefined
  isDryRun: boolean
  isNeverShorten: boolean
  /** A row may rename the person of an earlier row, whose email it has. */
  isRename: boolean
  isRestart: boolean
  encoding: string | undefined
  dates: DateOrder | undefined
  sheet: string | undefined
  /** Hidden rows of a sheet are read, too. */
  hiddenRows: boolean
  /** A workbook may take more than 100 MB unpacked. */
  largeFile: boolean
  headings: number | undefined
  /** `*` stands for all unknown columns. */
  ignored: string[]
  /** The file that says how whole names are split. */
  names: string | undefined
  /** What the file calls products by other names than the store. */
  aliases: Product[]
}

/** The options of `--undo`. The store and the address are those of the import. */
export interface UndoOptions {
  /** The file that the import has left. */
  undo: string
  store: string | undefined
  url: string | undefined
  token: string
  isDryRun: boolean
}

/** Ends the command with this message and exit code. */
export class Stop extends Error {
  override name = 'Stop'
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Throws Stop if the command line is invalid. */
export function readOptions(): Options | UndoOptions {
  answerHelp(USAGE)
  const taken = findTaken('import', ['store', 'url', 'dry-run', 'undo'])
  if (taken !== undefined) throw new Stop(2, taken)
  const { values, positionals } = readArguments()
  if (values.undo !== undefined) return undoOptions(values, positionals)
  const [path] = positionals
  const { store, url } = values
  const only = values.only === 'update' ? values.only : undefined
  const mode = values['on-existing'] ?? only ?? 'fail'
  const onExisting = (['fail', 'skip', 'update'] as const).find((known) => known === mode)
  if (path === undefined || positionals.length > 1 || !store || !url || !onExisting) throw new Stop(2, USAGE)
  const token = readToken()
  if (values.only !== undefined && !(only && onExisting === 'update'))
    throw new Stop(2, `--only takes "update", and goes with --on-existing update.\n\n${USAGE}`)
  const encoding = values.encoding === undefined ? undefined : encodingNamed(values.encoding)
  if (values.encoding !== undefined && encoding === undefined)
    throw new Stop(2, `--encoding: there is no encoding ${JSON.stringify(values.encoding)}.\n\n${USAGE}`)
  const dates = (['dmy', 'mdy'] as const).find((known) => known === values.dates)
  if (values.dates !== undefined && dates === undefined) throw new Stop(2, USAGE)
  const headings = values.headings === undefined ? undefined : Number(values.headings)
  if (headings !== undefined && !(Number.isSafeInteger(headings) && headings > 0))
    throw new Stop(2, `--headings: ${JSON.stringify(values.headings)} is not the number of a row.\n\n${USAGE}`)
  return {
    path,
    store,
    url,
    token,
    onExisting,
    only,
    isDryRun: values['dry-run'],
    isNeverShorten: values['never-shorten'],
    isRename: values.rename,
    isRestart: values.restart,
    encoding,
    dates,
    sheet: values.sheet,
    hiddenRows: values['hidden-rows'],
    largeFile: values['large-files'],
    headings,
    ignored: values.ignore,
    names: values.names,
    aliases: values.product.map(aliasIn),
  }
}

/** A text may have an equals sign, a slug has none. */
function aliasIn(option: string): Product {
  const [, name = '', slug = ''] = /^(.*)=([^=]*)$/s.exec(option) ?? []
  if (name.trim() === '' || slug.trim() === '')
    throw new Stop(
      2,
      `--product: write a text of the file and the slug of a product, such as "Inlgés B1=ingles-b1".\n\n${USAGE}`,
    )
  return { name: name.trim(), slug: slug.trim() }
}

/** Throws Stop if there is none that can be sent. */
function readToken(): string {
  const token = process.env['REGISTRAR_TOKEN'] ?? ''
  if (token === '')
    throw new Stop(2, 'REGISTRAR_TOKEN is not set. It must contain the token of the store or of an operator.')
  const badToken = tokenProblem(token)
  if (badToken) throw new Stop(2, `REGISTRAR_TOKEN: ${new BadToken(badToken).message}`)
  return token
}

const UNDO_OPTIONS = new Set(['undo', 'store', 'url', 'dry-run'])

function undoOptions(values: ReturnType<typeof readArguments>['values'], positionals: string[]): UndoOptions {
  const isSet = ([, value]: [string, unknown]): boolean => (Array.isArray(value) ? value.length > 0 : value !== false)
  const others = Object.entries(values).filter((entry) => isSet(entry) && !UNDO_OPTIONS.has(entry[0]))
  if (positionals.length > 0) throw new Stop(2, `--undo takes one file, FILE.state, and no other.\n\n${USAGE}`)
  if (others.length > 0) throw new Stop(2, `--${others[0]?.[0]} does not go with --undo.\n\n${USAGE}`)
  const { undo = '', store, url } = values
  return { undo, store, url, token: readToken(), isDryRun: values['dry-run'] }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        store: { type: 'string' },
        url: { type: 'string' },
        encoding: { type: 'string' },
        dates: { type: 'string' },
        sheet: { type: 'string' },
        'hidden-rows': { type: 'boolean', default: false },
        'large-files': { type: 'boolean', default: false },
        headings: { type: 'string' },
        ignore: { type: 'string', multiple: true, default: [] },
        names: { type: 'string' },
        product: { type: 'string', multiple: true, default: [] },
        'dry-run': { type: 'boolean', default: false },
        'never-shorten': { type: 'boolean', default: false },
        rename: { type: 'boolean', default: false },
        'on-existing': { type: 'string' },
        only: { type: 'string' },
        restart: { type: 'boolean', default: false },
        undo: { type: 'string' },
      },
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Stop(2, `${error.message}\n\n${USAGE}`)
  }
}
