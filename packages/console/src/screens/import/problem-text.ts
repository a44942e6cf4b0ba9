/** Why a file cannot be read or an import has stopped, in the operator's language. */
import { failureText } from '../../forms/error-text.ts'
import { type FileProblem, OTHER_FORMATS, type RefusedReason } from '../../import/engine.ts'
import type { Problem } from '../../import/run-state.ts'
import type { Words } from '../../words/words.ts'
import { fieldLabel } from './field-label.ts'
import { waitText } from './wait-text.ts'

/** The engine reports these at line 1, which says nothing. */
const OF_WHOLE_FILE = new Set<FileProblem['code']>([
  'empty',
  'json_array',
  'json_lines',
  'html',
  'utf16',
  'workbook',
  'password',
  'old_workbook',
  'unknown_sheet',
  'other_format',
  'too_large',
  'all_hidden',
])

export function problemText(problem: Problem, words: Words): string {
  const { problems, line } = words.import
  switch (problem.code) {
    case 'file':
      return OF_WHOLE_FILE.has(problem.problem.code)
        ? fileProblemText(problem.problem, words)
        : `${line(problem.line)}: ${fileProblemText(problem.problem, words)}`
    case 'gave_up':
      return problems.gave_up(waitText(problem.reason, words), problem.minutes)
    case 'refused':
      return refusedText(problem.reason, words)
    default:
      return problems[problem.code]
  }
}

export function fileProblemText(problem: FileProblem, words: Words): string {
  const { fileProblems } = words.import
  switch (problem.code) {
    case 'not_utf8':
      return fileProblems.not_utf8(problem.character)
    case 'not_encoding':
      return fileProblems.not_encoding(encodingName(problem.encoding, words), problem.character)
    case 'unknown_column':
      return fileProblems.unknown_column(problem.name)
    case 'repeated_column':
      return fileProblems.repeated_column(problem.name)
    case 'missing_column':
      return words.import.missing(fieldLabel(problem.field, words))
    case 'missing_product':
      return words.import.missingProduct
    case 'unknown_field':
      return fileProblems.unknown_field(problem.name)
    case 'other_format':
      return fileProblems.other_format(OTHER_FORMATS[problem.format])
    case 'too_large':
      return fileProblems.too_large(problem.megabytes)
    case 'workbook':
      return fileProblems.workbook(problem.cell)
    default:
      return fileProblems[problem.code]
  }
}

function encodingName(encoding: string, words: Words): string {
  const names: Record<string, string> = words.import.encodings
  return names[encoding] ?? encoding
}

function refusedText(reason: RefusedReason, words: Words): string {
  const { problems } = words.import
  if (reason.code === 'response' && reason.error === 'access_ended') return words.failure.accessEnded
  if (reason.code === 'response') {
    const text = failureText({ code: reason.error, status: reason.status }, words)
    return reason.ray === undefined ? text : `${text} (CF-Ray: ${reason.ray})`
  }
  return reason.code === 'results' ? problems.results(reason.results, reason.rows) : problems.token
}
