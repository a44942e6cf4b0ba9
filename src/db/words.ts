import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'

/** Whether a word is among those of a text in which spaces separate them, such as the scopes of a token. */
export function hasWord(words: SQLWrapper, word: SQLWrapper): SQL {
  return sql`(instr(' ' || ${words} || ' ', ' ' || ${word} || ' ') > 0)`
}
