/** Finds the unfinished run of an import, which continues only with the same options. */
import { rmSync } from 'node:fs'
import type { Inspection } from '../packages/import/inspect.ts'
import { filesFor, loadSaved } from './import-files.ts'
import type { Names } from './import-names.ts'
import { type Options, Stop } from './import-options.ts'

/** The options that decide how a file is read: with others, its rest would be read in another way. */
export function readingOf(options: Options, sheet: string | undefined, names: Names | undefined): string {
  const { dates, headings, hiddenRows, ignored, aliases } = options
  const columns = [...new Set(ignored)].toSorted().map((name) => `--ignore ${JSON.stringify(name)}`)
  const named = sheet === undefined ? [] : [`--sheet ${JSON.stringify(sheet)}`]
  const row = [...(hiddenRows ? ['--hidden-rows'] : []), ...(headings === undefined ? [] : [`--headings ${headings}`])]
  // The file may have been changed since.
  const splits = names ? [`--names ${JSON.stringify(options.names)} (${names.fingerprint.toString(36)})`] : []
  const products = aliases.map(({ name, slug }) => `--product ${JSON.stringify(`${name}=${slug}`)}`).toSorted()
  return [...named, ...row, ...(dates ? [`--dates ${dates}`] : []), ...columns, ...splits, ...products].join(' ')
}

/** Returns the state of an unfinished run of the same import. Another import's state is an error, or it would be lost. */
export function findSaved(options: Options, inspection: Inspection, reading: string): ReturnType<typeof loadSaved> {
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
      : run.reading || 'none of --sheet, --hidden-rows, --headings, --dates, --ignore, --names and --product',
  ].filter((difference) => difference !== undefined)
  if (differs.length === 0) return saved
  throw new Stop(
    2,
    `${file} belongs to an unfinished run with ${differs.join(' and ')}. Finish that run, or start again with --restart.`,
  )
}

/** As it is written behind --on-existing. */
export function modeOf({ onExisting, only, isNeverShorten }: Options): string {
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
