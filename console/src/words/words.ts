import type { en } from './en.ts'

/** What every language must have, as English has it. */
export type Words = typeof en
