/** What an undo prints, and the list of what stays. */
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { disarm } from '../packages/import/disarm.ts'
import { csvLine } from '../packages/import/failed.ts'
import type { Stay, UndoCounts } from '../packages/import/undo-step.ts'
import type { UndoNeeds } from '../packages/import/undo-token.ts'

const SHOWN = 20
const HEADER = ['name', 'email', 'row', 'what', 'why']

interface StayList {
  add: (stay: Stay) => void
  count: () => number
  print: () => void
}

/** Writes the whole list into a file, and prints its beginning. */
export function stayList(state: string, isDryRun: boolean): StayList {
  const path = `${state.replace(/\.state$/, '')}${isDryRun ? '.dry-run' : ''}.stays.csv`
  const shown: string[] = []
  let count = 0
  rmSync(path, { force: true })
  return {
    add(stay) {
      const { person, email, line } = stay
      const [what, why] = [whatText(stay), whyText(stay)]
      if (count++ === 0) {
        // People's data: only the owner may read the file.
        writeFileSync(path, csvLine(HEADER), { mode: 0o600 })
        chmodSync(path, 0o600)
      }
      appendFileSync(path, csvLine([person, email, `${line}`, what, why].map(disarm)))
      if (shown.length < SHOWN) shown.push(`${person}, row ${line}: ${what} stays: ${why}.`)
    },
    count: () => count,
    print() {
      for (const text of shown) console.log(text)
      if (count > shown.length) console.log(`${count - shown.length} more.`)
      if (count > 0) console.log(`All that ${isDryRun ? 'would stay' : 'stays'}, and why, is in ${basename(path)}.`)
    },
  }
}

function whatText({ code, about }: Stay): string {
  if (code === 'field_changed' || code === 'password') return about
  if (code === 'access_changed') return `the access to ${about}`
  return about === '' ? (code === 'uncompared' ? 'the accesses' : 'the person') : about
}

function whyText({ code, explanation = '' }: Stay): string {
  if (code === 'person_changed') return 'somebody has changed the person since'
  if (code === 'person_used') return 'somebody has granted or changed an access since, or there is progress in one'
  if (code === 'no_right') return 'this token may not erase people'
  if (code === 'field_changed' || code === 'access_changed') return 'it is no longer as the import left it'
  if (code === 'password') return 'the password before cannot be read'
  if (code === 'uncompared') return 'the import could not read them before it changed them'
  return explanation === ''
    ? 'the service rejects the value before'
    : `the service rejects the value before: ${explanation}`
}

export function summaryText(
  { erased, closed, people, accesses, gone }: UndoCounts,
  stays: number,
  { isDryRun, mayErase, needs }: { isDryRun: boolean; mayErase: boolean; needs: UndoNeeds },
): string {
  const more = `accesses closed ${closed}, people put back ${people}, accesses put back ${accesses}, staying ${stays}.`
  const counts = isDryRun
    ? `Dry run, nothing was changed. Would be erased ${erased}, ${more}`
    : `Erased ${erased}, ${more}`
  return [
    counts,
    ...(gone > 0 ? [`${gone} of the people were erased before.`] : []),
    ...(needs.hasCreated && !mayErase
      ? [
          `This token may not erase people: those whom the import created stay, and only their accesses ${isDryRun ? 'would be' : 'were'} closed.`,
        ]
      : []),
  ].join('\n')
}
