import type { en } from './en.ts'

/** English defines which texts there are. A language that lacks one does not compile. */
export type Words = typeof en
