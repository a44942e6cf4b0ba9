/** Reads the command line of `npm run import`. */
import { parseArgs } from 'node:util'
import type { OnExisting } from '../import/batches.ts'
import { type Encoding, ENCODINGS } from '../import/encoding.ts'
import { answerHelp } from './help.ts'

const USAGE = `npm run import -- FILE --store S --url U [--dry-run] [--on-existing fail|skip|update] [--restart]
  [--encoding utf-8|windows-1252|utf-16le|utf-16be]

The token of the store, or of an operator, is in the environment variable REGISTRAR_TOKEN.`

const WORKBOOK =
  'This command does not read Excel workbooks. In Excel, choose File → Save as → "CSV UTF-8 (Comma delimited)" and import that file, or import the workbook in the console.'

export interface Options {
  path: string
  store: string
  url: string
  token: string
  onExisting: OnExisting
  isDryRun: boolean
  isRestart: boolean
  encoding: Encoding | undefined
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
export function readOptions(): Options {
  answerHelp(USAGE)
  const { values, positionals } = readArguments()
  const [path] = positionals
  const { store, url, 'on-existing': mode } = values
  const token = process.env['REGISTRAR_TOKEN'] ?? ''
  const onExisting = (['fail', 'skip', 'update'] as const).find((known) => known === mode)
  if (path === undefined || positionals.length > 1 || !store || !url || !onExisting) throw new Stop(2, USAGE)
  if (token === '')
    throw new Stop(2, 'REGISTRAR_TOKEN is not set. It must contain the token of the store or of an operator.')
  if (/\.xlsx?$/i.test(path)) throw new Stop(2, WORKBOOK)
  const encoding = ENCODINGS.find((known) => known === values.encoding)
  if (values.encoding !== undefined && encoding === undefined) throw new Stop(2, USAGE)
  return { path, store, url, token, onExisting, isDryRun: values['dry-run'], isRestart: values.restart, encoding }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        store: { type: 'string' },
        url: { type: 'string' },
        encoding: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        'on-existing': { type: 'string', default: 'fail' },
        restart: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Stop(2, `${error.message}\n\n${USAGE}`)
  }
}
