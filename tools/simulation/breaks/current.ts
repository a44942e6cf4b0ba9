/** Makes the mistake with whose name this process was started (main.ts). */
import { applyBreak } from './apply.ts'
import { BREAKS } from './breaks.ts'

const current = BREAKS.find(({ name }) => name === process.env['SIMULATED_BREAK'])

/** The source of a file of src/, with the mistake if it is in this one. */
export function breakSource(file: string, source: string): string {
  if (current === undefined) throw new Error('no break has this name')
  return current.file === file ? applyBreak(source, current) : source
}
