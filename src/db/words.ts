import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'

/** True if a word is in a text of words separated by spaces, such as the scopes of a token. */
export function hasWord(words: SQLWrapper, word: SQLWrapper): SQL {
  return sql`(instr(' ' || ${words} || ' ', ' ' || ${word} || ' ') > 0)`
}
