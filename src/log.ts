/** The only way to write to the log: one JSON line with ids, codes and costs, and nothing that a caller or a person wrote. */

import { LOGGED_FRAMES } from './limits.ts'

/** What a line is about. */
type Kind = 'request' | 'job' | 'attempt' | 'warning'

export function log(kind: Kind, fields: object): void {
  const write = kind === 'warning' ? console.warn : console.log
  write(JSON.stringify({ kind, ...fields }))
}

/**
 * Messages of D1 name tables and columns, and are safe. Any other message may quote what was sent, so only the place
 * where the error was thrown is logged.
 */
export function describeError(error: unknown): object | undefined {
  if (!(error instanceof Error)) return undefined
  return {
    name: error.name,
    message: error.message.startsWith('D1_') ? error.message : undefined,
    at: error.stack
      ?.replace(error.message, '')
      .split('\n')
      .filter((frame) => frame.startsWith('    at '))
      .slice(0, LOGGED_FRAMES),
  }
}
