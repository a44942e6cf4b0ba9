import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'

/** True if a word is in a text of words separated by spaces, such as the scopes of a token. */
export function hasWord(words: SQLWrapper, word: SQLWrapper): SQL {
  return sql`(instr(' ' || ${words} || ' ', ' ' || ${word} || ' ') > 0)`
}

/** A query over numbers in a text, separated by spaces: each is the `value` of a row, and `key` is its position. */
export function eachNumber(words: SQLWrapper): SQL {
  return sql`json_each('[' || replace(${words}, ' ', ',') || ']')`
}
