/** What `npm run import` prints about the file and about the result. */
import { basename } from 'node:path'
import type { CommonFaults } from '../packages/import/common-faults.ts'
import type { Unclear } from '../packages/import/headings.ts'
import type { IgnoredStatus } from '../packages/import/ignored-statuses.ts'
import type { Inspection } from '../packages/import/inspect.ts'
import type { State } from '../packages/import/state.ts'
import { EFFECTS, type Effect } from '../packages/import/stored-accesses.ts'
import { FULL_NAME, SPLIT_RULE } from '../packages/import/whole-name.ts'
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

export function brokenText({ count, first, example }: NonNullable<Inspection['broken']>): string {
  return `Letters look broken in ${count === 1 ? '1 row' : `${count} rows`}, first in row ${first}: ${JSON.stringify(example)}. An earlier program has confused encodings, or has written HTML; correct the file, or the texts are stored like this.`
}

export function ignoredStatusText({ column, values }: IgnoredStatus): string {
  return `The column "${column}" (${values.join(', ')}) is ignored: each row gives access. If some must not, delete them, or write with_access and without_access below the heading product_status.`
}

export function summarize(
  state: State,
  { onExisting, isDryRun }: Options,
  about: { seconds: number; failed: string; before: number },
): void {
  const rate = Math.round((state.next - about.before) / Math.max(about.seconds, 0.001))
  const compared = state.uncompared > 0 ? ` and ${state.uncompared} could not be compared` : ''
  const existing =
    onExisting === 'update'
      ? `existing ${state.existing}, of which ${state.changed} ${isDryRun ? 'would change' : 'changed'}${compared}`
      : `existing and unchanged ${state.existing}`
  const verb = isDryRun ? 'Dry run, nothing was changed. Would create' : 'Created'
  const time = `in ${duration(about.seconds)} (${rate} rows per second)`
  console.log(`${verb} ${state.created}, ${existing}, failed ${state.failed}, ${time}.`)
  if (onExisting === 'update') console.log(effectsText(state, isDryRun))
  if (state.leftOut > 0) console.log(leftOutText(state))
  if (state.uncompared > 0)
    console.log('Their accesses cannot be read: the token lacks the scope product_accesses:read.')
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

function leftOutText({ leftOut, firstLeftOut }: State): string {
  const rows = leftOut === 1 ? '1 row would create somebody and was' : `${leftOut} rows would create somebody and were`
  return `${rows} left out (--only update), first row ${firstLeftOut}.`
}

/** What happens to the rows that have the email of an earlier row, where nobody may expect it. */
export function sharedEmailTexts({ sharedEmails, grantsProducts }: Inspection, { onExisting }: Options): string[] {
  if (!sharedEmails) return []
  const { count, first, renames } = sharedEmails
  if (onExisting === 'skip')
    return [
      `Rows with the email of an earlier row: ${count}, first in row ${first}. With --on-existing skip they are left out${grantsProducts ? ', and so are their products: write all products of a person into one row, or import with --on-existing update' : ''}.`,
    ]
  if (onExisting !== 'update') return []
  const more = renames.count - renames.first.length
  return [
    ...renames.first.map(
      ({ line, earlier }) => `Row ${line} would rename the person of row ${earlier}: both have the same email.`,
    ),
    ...(more > 0 ? [`${more} more rows would rename people of earlier rows.`] : []),
  ]
}

/** Says how whole names are split: all of them, or the doubtful ones first. */
export function splitTexts({ header, splits }: Inspection, rename: Record<string, string>): string[] {
  if (!splits) return []
  const column = header.find((name) => (rename[name] ?? name) === FULL_NAME) ?? ''
  const { count, doubtful, first } = splits
  const more = count - first.length
  return [
    `The whole names in "${column}" are split, ${SPLIT_RULE}:`,
    ...first.map(({ line, name, last_name }) => `  row ${line}: ${name} | ${last_name}`),
    ...(more > 0 ? [`  and ${more} more rows`] : []),
    ...(more > 0 && doubtful > 0
      ? [
          `Doubtful names come first: those with more than two words, a comma, or a word such as "de". They are ${doubtful} of ${count}.`,
        ]
      : []),
    'To split them otherwise, write them with a comma, as in "García López, José", or in two columns, or with --names in the file that a dry run writes.',
  ]
}

const SHOWN_FAULTS = 20

/** One sentence for each product that several rows name in vain. `before` is the number of rows that an earlier run has done. */
export function commonTexts(common: CommonFaults, before: number): string[] {
  const faults = common.list()
  const more = faults.length - SHOWN_FAULTS
  return [
    ...faults
      .slice(0, SHOWN_FAULTS)
      .map(
        ({ reason: { column, about = '', explanation }, count, line }) =>
          `${count} rows${before > 0 ? ` of this run` : ''} fail for ${JSON.stringify(about)} in the column "${column}", first row ${line}: ${explanation.replace(`${about}: `, '')}.`,
      ),
    ...(more > 0 ? [`${more} more products are named in vain by several rows.`] : []),
    ...(faults.length > 0 ? ['If a product of the store is meant, say which: --product "TEXT=SLUG".'] : []),
  ]
}

/** Such as "Accesses of existing people: 1 would end earlier, 2 would be closed." */
function effectsText({ effects }: State, isDryRun: boolean): string {
  const counted = EFFECTS.filter((effect) => effects[effect] > 0).map(
    (effect) => `${effects[effect]} ${effectText(effect, isDryRun)}`,
  )
  return `Accesses of existing people: ${counted.length === 0 ? `none ${isDryRun ? 'would change' : 'changed'}` : counted.join(', ')}.`
}

export function effectText(effect: Effect, isDryRun: boolean): string {
  if (effect === 'earlier' || effect === 'later') return `${isDryRun ? 'would end' : 'now end'} ${effect}`
  return `${isDryRun ? 'would be' : 'were'} ${effect}`
}
