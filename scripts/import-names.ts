/** `--names`: how the whole names of a file are split, as a file in which a person corrects them. */
import { appendFileSync, existsSync, renameSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { columnsOf } from '../packages/import/columns.ts'
import { disarm } from '../packages/import/disarm.ts'
import { csvLine } from '../packages/import/failed.ts'
import { FileError } from '../packages/import/file-error.ts'
import { Fingerprint, SeenEmails } from '../packages/import/fingerprint.ts'
import type { Inspection } from '../packages/import/inspect.ts'
import { openFile } from '../packages/import/read.ts'
import { recognize } from '../packages/import/recognize.ts'
import type { Source } from '../packages/import/source.ts'
import { textIn } from '../packages/import/text-in.ts'
import { FULL_NAME, isDoubtful, splitName, type SplitName } from '../packages/import/whole-name.ts'
import { fileSource } from './import-files.ts'
import { Stop } from './import-options.ts'

/** `_line` is the row of the imported file; by it, reading takes each `'` off again (packages/import/disarm.ts). */
const HEADER = ['whole_name', 'name', 'last_name', 'doubtful', '_line']
const WRITTEN_ROWS = 1000

export interface Names {
  /** Returns how a whole name is split, if the rule would split it otherwise. */
  get: (whole: string) => SplitName | undefined
  /** Says which of them no row of the imported file has. Throws Stop if it has none of them. */
  check: (imported: string) => string[]
  fingerprint: number
}

interface Reading {
  rename: Record<string, string>
  names: Names | undefined
}

/**
 * Writes how each row is split. A name that cannot be split has empty parts, to be filled in. A file that is there may have
 * corrections, and is kept.
 */
export async function writeNames(
  path: string,
  source: Source,
  { hasBom, delimiter }: Inspection,
  reading: Reading,
): Promise<void> {
  if (existsSync(path)) return
  const opened = await openFile(source)
  const columns = columnsOf(opened, reading)
  // A command that is killed must not leave a part of it. People's data: only the owner may read the file.
  const unfinished = `${path}.new`
  writeFileSync(unfinished, (hasBom ? '\ufeff' : '') + csvLine(HEADER, delimiter), { mode: 0o600 })
  let lines: string[] = []
  for await (const row of opened.rows) {
    const { item, unsplit } = columns.toItem(row)
    if (unsplit === undefined) continue
    const last = textIn(item, 'last_name')
    const parts = last === undefined ? ['', ''] : [textIn(item, 'name') ?? '', last]
    const cells = [unsplit, ...parts, last === undefined || isDoubtful(unsplit) ? 'yes' : '', `${row.line}`]
    lines.push(csvLine(cells.map(disarm), delimiter))
    if (lines.length < WRITTEN_ROWS) continue
    appendFileSync(unfinished, lines.join(''))
    lines = []
  }
  appendFileSync(unfinished, lines.join(''))
  renameSync(unfinished, path)
}

/** Reads such a file, as CSV or as a workbook. Throws Stop for a split that loses or adds a word. */
export async function readNames(path: string, rename: Record<string, string>): Promise<Names> {
  if (!existsSync(path)) throw new Stop(2, `--names: there is no file ${path}.`)
  const heading = Object.keys(rename).find((column) => rename[column] === FULL_NAME) ?? FULL_NAME
  const fingerprint = new Fingerprint()
  const splits = new Map<string, SplitName>()
  const byRule = new SeenEmails()
  for await (const { line, whole, name, last } of linesOf(path)) {
    fingerprint.addText(`${whole}\u0001${name}\u0001${last}\u0002`)
    if (whole === '' || (name === '' && last === '')) continue
    const problem = problemOf(whole, name, last)
    if (problem !== undefined) throw stopIn(path, line, problem)
    const split = splitName(whole, heading)
    const isByRule = split?.name === name && split.last_name === last
    const other = splits.get(whole)
    if (isByRule ? other !== undefined : byRule.find(whole) !== undefined || (other && other.name !== name))
      throw stopIn(
        path,
        line,
        `${JSON.stringify(whole)} is split otherwise in an earlier row; split it alike in all rows`,
      )
    if (isByRule) byRule.add(whole, line)
    else splits.set(whole, { name, last_name: last })
  }
  const used = new Set<string>()
  return {
    get(whole) {
      const split = splits.get(whole)
      if (split) used.add(whole)
      return split
    },
    check(imported) {
      const [first, ...others] = [...splits.keys()].filter((whole) => !used.has(whole))
      if (first === undefined) return []
      const text = `--names: no row of ${imported} has the whole name ${JSON.stringify(first)}${others.length > 0 ? `, nor ${others.length} others of ${basename(path)}` : ''}.`
      if (used.size === 0) throw new Stop(2, `${text}\nNothing was sent.`)
      return [text]
    },
    fingerprint: fingerprint.value,
  }
}

interface Line {
  line: number
  whole: string
  name: string
  last: string
}

async function* linesOf(path: string): AsyncGenerator<Line> {
  try {
    yield* linesIn(path)
  } catch (error) {
    if (error instanceof FileError) throw new Stop(2, `--names: ${path}, ${error.message}\nNothing was sent.`)
    throw error
  }
}

async function* linesIn(path: string): AsyncGenerator<Line> {
  const { source } = await recognize(fileSource(path))
  const { header, rows } = await openFile(source)
  const indexes = HEADER.slice(0, 3).map((column) => header.indexOf(column))
  if (indexes.includes(-1))
    throw new Stop(2, `--names: ${path} needs the columns whole_name, name and last_name, as a dry run writes them.`)
  for await (const row of rows) {
    const cells = 'cells' in row ? row.cells : []
    const [whole = '', name = '', last = ''] = indexes.map((i) => singleBlanks(cells[i] ?? ''))
    yield { line: row.line, whole, name, last }
  }
}

function problemOf(whole: string, name: string, last: string): string | undefined {
  if (name === '' || last === '') return `${JSON.stringify(whole)} needs both a name and a last_name`
  if (wordsOf(`${name} ${last}`) === wordsOf(whole)) return undefined
  return `${JSON.stringify(name)} and ${JSON.stringify(last)} are not the words of ${JSON.stringify(whole)}`
}

function stopIn(path: string, line: number, problem: string): Stop {
  return new Stop(2, `--names: ${basename(path)}, row ${line}: ${problem}.\nNothing was sent.`)
}

function singleBlanks(cell: string): string {
  return cell.replaceAll(/\s+/gu, ' ').trim()
}

/** In any order, since the last name may come first. */
function wordsOf(text: string): string {
  return text
    .split(/[\s,，،]+/u)
    .filter(Boolean)
    .toSorted()
    .join(' ')
}
