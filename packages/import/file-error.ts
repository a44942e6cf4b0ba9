import { OTHER_FORMATS, type OtherFormat } from './other-formats.ts'
import { FULL_NAME, setBy } from './whole-name.ts'

/** What is wrong with a file. A code says it, so that the console can use its own words instead of English. */
export type FileProblem =
  | { code: 'empty' | 'json_array' | 'json_lines' | 'html' | 'utf16' | 'missing_product' | 'password' | 'old_workbook' }
  | { code: 'no_headings' }
  /** `byte` is hexadecimal. */
  | { code: 'not_utf8'; character: number; byte: string }
  | { code: 'not_encoding'; encoding: string; character: number; byte: string }
  | { code: 'unknown_sheet'; name: string; known: string[] }
  | { code: 'unknown_column'; column: number; name: string; known: string[] }
  | { code: 'repeated_column'; column: number; name: string; first: number }
  | { code: 'missing_column'; field: string }
  | { code: 'unknown_field'; name: string; known: string[] }
  | { code: 'quote_not_closed' | 'quote_in_value' | 'text_after_quote'; column: number }
  | { code: 'row_too_long'; column: number; bytes: number }
  | { code: 'line_too_long'; characters: number }
  /** `message` is that of the library that reads CSV or workbooks. */
  | { code: 'malformed'; column: number; message: string }
  | { code: 'workbook'; message: string; cell?: string | undefined }
  | { code: 'other_format'; format: OtherFormat }
  | { code: 'database_text'; column: number }
  /** What its archive promises. */
  | { code: 'too_large'; megabytes: number }
  /** `hidden`: all of the rows that have values. */
  | { code: 'all_hidden'; hidden: number }

/** An error in the file, with its line. If the first pass throws it, nothing has been sent. */
export class FileError extends Error {
  override name = 'FileError'
  readonly line: number
  readonly problem: FileProblem

  constructor(line: number, problem: FileProblem) {
    super(`line ${line}${placeOf(problem)}: ${textOf(problem)}`)
    this.line = line
    this.problem = problem
  }
}

function placeOf(problem: FileProblem): string {
  if ('column' in problem) return `, column ${problem.column}`
  return 'character' in problem ? `, character ${problem.character}` : ''
}

function isName(field: string): boolean {
  return setBy(FULL_NAME).includes(field)
}

/** Returns the problem in English, as the commands print it. */
function textOf(problem: FileProblem): string {
  switch (problem.code) {
    case 'empty':
      return 'the file is empty'
    case 'no_headings':
      return 'the file has no such row with headings'
    case 'json_array':
      return 'a JSON array cannot be streamed; write one object on each line'
    case 'json_lines':
      return 'the JSON is written on several lines; write each object on one line'
    case 'html':
      return 'this is a web page (HTML or XML), whatever its name says. Open it in a spreadsheet and save it as a workbook (.xlsx) or as CSV.'
    case 'password':
      return 'the workbook is protected with a password. Save it without one.'
    case 'old_workbook':
      return 'this is a workbook in the old format (.xls). Open it and save it as an Excel workbook (.xlsx).'
    case 'unknown_sheet':
      return `there is no sheet ${JSON.stringify(problem.name)}. The workbook has ${problem.known.map((name) => JSON.stringify(name)).join(', ')}.`
    case 'utf16':
      // This is the most frequent mistake ("Unicode text" of a spreadsheet).
      return 'the file is UTF-16. Save it as UTF-8 (in a spreadsheet: "CSV UTF-8").'
    case 'not_utf8':
      return `the file is not UTF-8 (byte 0x${problem.byte}). Save it as UTF-8, or say what it is with --encoding: windows-1252 for Windows, macintosh for a Mac.`
    case 'not_encoding':
      return `the file is not ${problem.encoding}, which has no byte 0x${problem.byte}. Name another one with --encoding, such as windows-1252, macintosh or windows-1250.`
    case 'unknown_column':
      return `unknown column ${JSON.stringify(problem.name)}. Known are ${problem.known.join(', ')}. To leave it out, add --ignore ${JSON.stringify(problem.name)}, or --ignore '*' for all unknown ones.`
    case 'repeated_column':
      return `the column ${JSON.stringify(problem.name)} is repeated (it is also column ${problem.first})`
    case 'missing_column':
      return `the column "${problem.field}" is missing${isName(problem.field) ? '. If one column has the whole name, give it the heading "full_name": it is split.' : ''}`
    case 'missing_product':
      return 'the column "product" is missing, which the other product columns need'
    case 'unknown_field':
      return `unknown field "${problem.name}". Known are ${problem.known.join(', ')}.`
    case 'quote_not_closed':
      return 'a quote is opened here and never closed'
    case 'quote_in_value':
      return 'a quote is inside a value; put the whole value in quotes, and write each quote in it twice'
    case 'text_after_quote':
      return 'text follows a closing quote; a quote inside a value must be written twice'
    case 'row_too_long':
      return `the row is longer than ${problem.bytes} bytes; perhaps a quote is never closed`
    case 'line_too_long':
      return `longer than ${problem.characters} characters`
    case 'workbook':
      return `the workbook cannot be read: ${problem.message}${problem.cell === undefined ? '' : `, in cell ${problem.cell}`}`
    case 'other_format':
      return `the format of the file is ${OTHER_FORMATS[problem.format]}. Open it in the program that wrote it, and save it as an Excel workbook (.xlsx).`
    case 'database_text':
      return 'the value is written as by a database (psql \\copy, mariadb --batch), without quotes and with backslashes. Export it as CSV instead: with psql, add "csv header" to \\copy; other databases can write CSV with a query tool.'
    case 'too_large':
      return `unpacked, the workbook would take ${problem.megabytes} MB: more than 100 MB, or more than 100 times its size. If it really has so many rows, add --large-files.`
    case 'all_hidden':
      return `all ${problem.hidden} rows of the sheet are hidden. Show them, or read them with --hidden-rows.`
    default:
      return problem.message
  }
}
