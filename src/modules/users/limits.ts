/** How many users a search and a file examine. */
import { CUSTOM_FIELDS } from '../../limits.ts'

/**
 * How many users a search examines: by email, if theirs may start with the text, and by name. A request that examines both
 * examines as many fewer by name, so that `names` is the total. A page that is not full reads them twice. That takes D1,
 * which does one thing at a time, 45 ms if each user has 2 KB of custom fields. Folding turns some characters into eighteen,
 * so `maxFolded` limits the folded words together.
 */
export const SEARCH = {
  emails: 500,
  names: 10_000,
  words: 5,
  maxLength: 100,
  maxFolded: 100,
  /** A search for fewer digits is one for words. */
  phoneDigits: 4,
  /** Two spellings of a phone end with the same digits, whatever prefixes they have. */
  phoneEnd: 8,
} as const

/**
 * How many records the first page of a file has, and the largest. D1 allows 1,000 statements per request and a page takes
 * two, so a file has at most about a million lines. If the texts of a page's users had more than `pageBytes`, it has
 * `largeUsers`, as many as fit in any case: what D1 returns, the lines and their bytes must fit into an isolate of 128 MB
 * together. So must their cells, of which a store with many custom fields has many: a page has at most about `maxCells`.
 */
export const EXPORT = {
  firstPage: 100,
  maxPage: 2000,
  pageBytes: 256 * CUSTOM_FIELDS.bytes,
  largeUsers: 256,
  maxCells: 2_000_000,
} as const

/**
 * How many users a page of a file with `q` examines, as in `SEARCH`, and how many it has. With the windows of the list,
 * 1,000 statements would not suffice for a store of a million users; with these, they suffice for almost ten million, of
 * whom an eighth of a million match. This page is not limited by bytes: 250 users have at most 15 MB.
 */
export const EXPORT_SEARCH = { emails: 5000, names: 20_000, maxPage: 250 } as const
