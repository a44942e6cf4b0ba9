/** The only way to write to the log: one JSON line with ids, codes and costs, and nothing that a caller or a person wrote. */

/** The maximum number of stack frames in the log. */
const LOGGED_FRAMES = 8

type Kind = 'request' | 'job' | 'attempt' | 'warning'

export function log(kind: Kind, fields: object): void {
  const write = kind === 'warning' ? console.warn : console.log
  write(JSON.stringify({ kind, ...fields }))
}

/** The messages of D1, and those of SQLite in an object, which end in its code. They name tables and columns. */
const OF_DATABASE = /^D1_|^[^\n]+: SQLITE_[A-Z]+(?: \(extended: SQLITE_[A-Z_]+\))?$/

/** Any other message may quote what was sent, so only the place where the error was thrown is logged. */
export function describeError(error: unknown): object | undefined {
  if (!(error instanceof Error)) return undefined
  return {
    name: error.name,
    message: OF_DATABASE.test(error.message) ? error.message : undefined,
    at: error.stack
      ?.replace(error.message, '')
      .split('\n')
      .filter((frame) => frame.startsWith('    at '))
      .slice(0, LOGGED_FRAMES),
  }
}
