/**
 * The rows that have the email of an earlier row: another course of the same person, which `skip` leaves out, or somebody
 * else who shares the address, after whom `update` would rename the first one.
 */
import { emailKeyOf } from './batches.ts'
import type { Item } from './columns.ts'
import { joinedName } from './changes.ts'
import { Fingerprint, SeenEmails } from './fingerprint.ts'
import { foldName } from './normalize-name.ts'

export interface SharedEmails {
  count: number
  /** The number of the first of these rows. */
  first: number
  /** Those with another name than the first row that has the email: how many, and some of them. */
  renames: { count: number; first: { line: number; earlier: number }[] }
}

/** Enough for a file that somebody has typed, and memory does not grow with the file. */
const REMEMBERED_EMAILS = 100_000
const SHOWN = 5
/** To fold such a name takes ten times as long as to lower it, and gives the same. */
const ASCII = /^[ -~]*$/

export interface EmailSurvey {
  add: (line: number, item: Item) => void
  /** Undefined if each email comes once. */
  result: () => SharedEmails | undefined
}

export function surveyEmails(): EmailSurvey {
  const [lines, names] = [new SeenEmails(REMEMBERED_EMAILS), new SeenEmails(REMEMBERED_EMAILS)]
  const found: SharedEmails = { count: 0, first: 0, renames: { count: 0, first: [] } }
  return {
    add(line, read) {
      const key = emailKeyOf(read)
      if (key === undefined) return
      // Case and accents make nobody somebody else. Whoever keeps the stored name has none here.
      const isNamed = read.keptName === undefined && read.ids === undefined
      const name = isNamed ? new Fingerprint().addText(folded(joinedName(read.item))).value : 0
      const earlier = lines.find(key)
      if (earlier === undefined) {
        lines.add(key, line)
        names.add(key, name)
        return
      }
      if (found.count++ === 0) found.first = line
      if (names.find(key) === name) return
      found.renames.count++
      if (found.renames.first.length < SHOWN) found.renames.first.push({ line, earlier })
    },
    result: () => (found.count > 0 ? found : undefined),
  }
}

function folded(name: string): string {
  return ASCII.test(name) ? name.toLowerCase() : foldName(name)
}
