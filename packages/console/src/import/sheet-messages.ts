/** What the page and the worker that reads a workbook say to each other. */
import type { FileProblem } from '../../../import/file-error.ts'
import type { SheetChunk } from '../../../import/sheet-source.ts'
import type { WorkbookOptions } from '../../../import/workbook.ts'

/** `pass` distinguishes readings of the same sheet, of which several may be under way. */
export type Request =
  | { code: 'open'; file: Blob; options: WorkbookOptions }
  | { code: 'next'; pass: number }
  | { code: 'end'; pass: number }

export type Response =
  | { code: 'opened'; sheets: string[]; sheet: string; size: number }
  /** The share of the workbook that must be read before its rows. */
  | { code: 'progress'; share: number }
  /** Without a chunk, the sheet has ended. */
  | { code: 'chunk'; pass: number; chunk?: SheetChunk }
  /** Without a problem, the error is no fault of the file. */
  | { code: 'failed'; pass?: number; line: number; problem?: FileProblem; message: string }
