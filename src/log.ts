/** The one way into the log: a JSON line. Ids, codes and costs go in; nothing that a caller or a person wrote. */

import { LOGGED_FRAMES } from './limits.ts'

/** What a line tells of. */
type Kind = 'request' | 'job' | 'attempt' | 'warning'

export function log(kind: Kind, fields: object): void {
  const write = kind === 'warning' ? console.warn : console.log
  write(JSON.stringify({ kind, ...fields }))
}

/**
 * D1's messages name tables and columns and are safe; any other message may quote what was sent, so only the place
 * where it was thrown is kept.
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
