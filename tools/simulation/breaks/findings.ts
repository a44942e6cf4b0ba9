/** In which run each break was found, and as what: found.tsv, by number of runs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BREAKS } from './breaks.ts'

export interface Finding {
  name: string
  /** Undefined if the break was not found. */
  runs: number | undefined
  /** The violation, or why there is none. */
  text: string
}

const FILE = join(import.meta.dirname, 'found.tsv')
const TITLES = 'runs\tbreak\tfound as\n'

/** What names a record differs in each run. A status has three digits. */
export function withoutIds(text: string): string {
  return text.replaceAll(/https:\S+|[\w-]*\d[\w-]*/g, (word) => (/^\d{3}$/.test(word) ? word : '…'))
}

/** Those that are not given keep their lines. A break that is gone has none. */
export function writeFindings(findings: readonly Finding[]): void {
  const lines = new Map<string, string>()
  for (const line of readFileSync(FILE, 'utf8').split('\n')) lines.set(line.split('\t')[1] ?? '', line)
  for (const { name, runs, text } of findings) lines.set(name, [runs ?? '-', name, text].join('\t'))
  const found = BREAKS.flatMap(({ name }) => lines.get(name) ?? [])
  const runsOf = (line: string) => (line.startsWith('-') ? Infinity : Number.parseInt(line))
  // The slowest first.
  writeFileSync(FILE, TITLES + found.toSorted((a, b) => runsOf(b) - runsOf(a)).join('\n') + '\n')
}
