/** What an update would change: the people as they were go into a file, and the changes that matter most are printed. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { localText } from '../src/calendar.ts'
import { beforeTable } from '../packages/import/before.ts'
import { type Change, nameChange } from '../packages/import/changes.ts'
import { disarm } from '../packages/import/disarm.ts'
import { csvLine } from '../packages/import/failed.ts'
import type { Inspection } from '../packages/import/inspect.ts'
import { type AccessChange, type AccessState, EFFECTS } from '../packages/import/stored-accesses.ts'
import { effectText } from './import-output.ts'

const SHOWN = 20

export interface ChangeFile {
  keepChanges: (changes: Change[]) => Promise<Change[]>
  print: () => void
}

interface Reading {
  rename: Record<string, string>
  /** The time zone of the store. */
  zone: string
}

/** The file has the column `_line`, so that an import takes each `'` off again (packages/import/disarm.ts). */
export function changeFile(path: string, inspection: Inspection, { rename, zone }: Reading): ChangeFile {
  const { header, delimiter, hasBom, format } = inspection
  const table = beforeTable(header, rename, { zone, grantsProducts: inspection.grantsProducts })
  const lineOf = (cells: string[]): string => csvLine(cells.map(disarm), delimiter)
  const names: string[] = []
  const accesses: { rank: number; text: string }[] = []
  let [isBegun, written, renamed, moved] = [false, 0, 0, 0]
  return {
    async keepChanges(changes) {
      // The file of an earlier run would name other people, if this one writes none.
      if (!isBegun) rmSync(path, { force: true })
      isBegun = true
      const known = format === 'csv' ? table.rowsOf(changes) : []
      // People's data: only the owner may read the file.
      if (written === 0 && known.length > 0)
        writeFileSync(path, (hasBom ? '\ufeff' : '') + lineOf([...table.header, '_line']), { mode: 0o600 })
      const rows = known.map(({ line, cells }) => lineOf([...cells.map(({ text }) => text), `${line}`]))
      if (rows.length > 0) appendFileSync(path, rows.join(''))
      written += rows.length
      for (const change of changes) {
        const name = nameChange(change)
        if (name !== undefined) {
          renamed++
          if (names.length < SHOWN) names.push(renameText(change.line, name))
        }
        for (const access of change.accesses ?? []) {
          moved++
          const rank = Math.min(...access.effects.map((effect) => EFFECTS.indexOf(effect)))
          accesses.push({ rank, text: `Row ${change.line}: ${change.person}, ${accessText(access, zone)}` })
        }
      }
      // What takes something away comes first, and stays however many others there are.
      accesses.sort((a, b) => a.rank - b.rank)
      accesses.splice(SHOWN)
      return changes
    },
    print() {
      for (const text of names) console.log(text)
      if (renamed > names.length) console.log(`${renamed - names.length} more rows would rename people.`)
      for (const { text } of accesses) console.log(text)
      if (moved > accesses.length) console.log(`${moved - accesses.length} more accesses would change.`)
      if (written > 0)
        console.log(
          `The people and their accesses as they are now are in ${basename(path)}. To get these values back after the update, import that file with --on-existing update. Fields that are empty in it stay as the update leaves them.`,
        )
    },
  }
}

function renameText(line: number, { from, to }: { from: string; to: string }): string {
  return `Row ${line} would rename ${from} to ${to}.`
}

function accessText({ product, effects, from, to }: AccessChange, zone: string): string {
  const texts = effects.map((effect) => {
    const isDate = effect === 'earlier' || effect === 'later'
    const values = isDate && from ? `, from ${dueText(from, zone)} to ${dueText(to, zone)}` : ''
    return effectText(effect, true) + (effect === 'granted' ? ` until ${dueText(to, zone)}` : values)
  })
  return `${product}: ${texts.join(', and ')}.`
}

function dueText({ due }: AccessState, zone: string): string {
  if (due === null) return 'no limit'
  return due === undefined ? 'when the product says' : localText(Date.parse(due), zone)
}
