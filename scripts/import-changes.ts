/** What an update would change: the users as they were go into a file, and changes of names are printed. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { beforeTable } from '../packages/import/before.ts'
import { type Change, nameChange } from '../packages/import/changes.ts'
import { disarm } from '../packages/import/disarm.ts'
import { csvLine } from '../packages/import/failed.ts'
import type { Inspection } from '../packages/import/inspect.ts'

const SHOWN = 20

export interface ChangeFile {
  keepChanges: (changes: Change[]) => Promise<Change[]>
  print: () => void
}

/** The file has the column `_line`, so that an import takes each `'` off again (packages/import/disarm.ts). */
export function changeFile(
  path: string,
  { header, delimiter, hasBom }: Inspection,
  rename: Record<string, string>,
): ChangeFile {
  const table = beforeTable(header, rename)
  const lineOf = (cells: string[]): string => csvLine(cells.map(disarm), delimiter)
  const shown: string[] = []
  let [isBegun, written, renamed] = [false, 0, 0]
  return {
    async keepChanges(changes) {
      // The file of an earlier run would name other people, if this one writes none.
      if (!isBegun) rmSync(path, { force: true })
      isBegun = true
      const known = table.rowsOf(changes)
      // People's data: only the owner may read the file.
      if (written === 0 && known.length > 0)
        writeFileSync(path, (hasBom ? '\ufeff' : '') + lineOf([...table.header, '_line']), { mode: 0o600 })
      const rows = known.map(({ line, cells }) => lineOf([...cells.map(({ text }) => text), `${line}`]))
      if (rows.length > 0) appendFileSync(path, rows.join(''))
      written += rows.length
      for (const change of changes) {
        const name = nameChange(change)
        if (name === undefined) continue
        renamed++
        if (shown.length < SHOWN) shown.push(`Row ${change.line} would rename ${name.from} to ${name.to}.`)
      }
      return changes
    },
    print() {
      for (const text of shown) console.log(text)
      if (renamed > shown.length) console.log(`${renamed - shown.length} more rows would rename people.`)
      if (written > 0)
        console.log(
          `The people as they are now are in ${basename(path)}. To get these values back after the update, import that file with --on-existing update. Fields that are empty in it, and accesses, stay as the update leaves them.`,
        )
    },
  }
}
