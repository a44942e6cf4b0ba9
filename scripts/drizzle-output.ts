/** What drizzle-kit does not say by its exit code. */

/** It exits with 0 after a question that nobody can answer, such as whether a column was renamed, and has written nothing. */
export function findUnanswered(output: string): string | undefined {
  if (/Your SQL migration file|No schema changes/.test(output)) return undefined
  return `drizzle-kit has written no migration, because it wanted to ask a question: it takes a new name beside a missing one for a
rename. A migration only adds, so keep what was there, and add the new beside it. It printed:
${output.trim()}`
}

/** A rebuild of a table, as for a changed CHECK, would lose what the version before still needs. */
export function findRemoval(sql: string): string | undefined {
  const removal = /^\s*(?:DROP|PRAGMA foreign_keys|ALTER TABLE \S+ (?:DROP|RENAME))\b.*/im.exec(sql)?.[0].trim()
  if (removal === undefined) return undefined
  return `A migration only adds tables, columns and indexes, because two versions use the database at the same time. This one has: ${removal}`
}
