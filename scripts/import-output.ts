/** What `npm run import` prints about the file and about the result. */
import { basename } from 'node:path'
import type { Unclear } from '../packages/import/headings.ts'
import type { Inspection } from '../packages/import/inspect.ts'
import type { State } from '../packages/import/state.ts'
import type { Options } from './import-options.ts'
import { duration } from './progress.ts'

export function describe({ format, delimiter, header, rows }: Inspection): string {
  const name = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }[delimiter]
  return `${rows} rows${format === 'csv' ? `, ${header.length} columns separated by ${name}` : ' of NDJSON'}`
}

export function describeHidden(count: number): string {
  const rows = count === 1 ? '1 hidden row is' : `${count} hidden rows are`
  return `${rows} left out, as a filter or somebody has hidden ${count === 1 ? 'it' : 'them'}. To read hidden rows, add --hidden-rows.`
}

export function summarize(
  state: State,
  { onExisting, isDryRun }: Options,
  about: { seconds: number; failed: string; before: number },
): void {
  const rate = Math.round((state.next - about.before) / Math.max(about.seconds, 0.001))
  const existing =
    onExisting === 'update' && isDryRun
      ? `existing ${state.existing}, of which ${state.changed} would change`
      : `existing and ${onExisting === 'update' ? 'updated' : 'unchanged'} ${state.existing}`
  const verb = isDryRun ? 'Dry run, nothing was changed. Would create' : 'Created'
  const time = `in ${duration(about.seconds)} (${rate} rows per second)`
  console.log(`${verb} ${state.created}, ${existing}, failed ${state.failed}, ${time}.`)
  if (state.failed === 0) return
  console.log(
    isDryRun
      ? `The rows that would fail are in ${basename(about.failed)}, each with its reasons.`
      : `The failed rows are in ${basename(about.failed)}, each with its reasons. Correct them there and import that file.`,
  )
}

/** Says which columns may be a field. "Leave out" is the only answer that needs no change of the file. */
export function unclearText({ field, columns }: Unclear): string {
  const names = columns.map((name) => JSON.stringify(name))
  const [first = '""'] = names
  return names.length === 1
    ? `the column ${first} may be "${field}", or that of somebody else. If it is the right one, give it the heading ${JSON.stringify(field)}; if not, leave it out with --ignore ${first}.`
    : `more than one column may be "${field}": ${names.join(', ')}. Leave out all but one, such as with --ignore ${first}, or give the right one the heading ${JSON.stringify(field)}.`
}
