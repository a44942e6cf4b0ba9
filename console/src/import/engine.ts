/** The parts of the import engine (`import/` of the repository) that the console uses. */
import './buffer.ts'

export type { OnExisting } from '../../../import/batches.ts'
export { connect } from '../../../import/client.ts'
export {
  columnsOf,
  CUSTOM_FIELD,
  IGNORED,
  JSON_FIELDS,
  PRODUCTS,
  type Reason,
  REQUIRED,
  TEXTS,
} from '../../../import/columns.ts'
export { isUnclearDueDate } from '../../../import/due-dates.ts'
export { FileError, type FileProblem } from '../../../import/file-error.ts'
export { csvLine, failedWriter, reasonText } from '../../../import/failed.ts'
export { Fingerprint } from '../../../import/fingerprint.ts'
export { ENCODINGS } from '../../../import/encoding.ts'
export { fieldsOf, guessFields, NO_FIELD } from '../../../import/headings.ts'
export { inspect, type Inspection } from '../../../import/inspect.ts'
export { DELIMITERS, openFile, type Opened, type Row } from '../../../import/read.ts'
export { type Correction, recognize, type Recognized } from '../../../import/recognize.ts'
export { GaveUp, Refused, type RefusedReason } from '../../../import/request-errors.ts'
export { type FailedRow, type Keeper, runImport, type State } from '../../../import/run.ts'
export type { DateOrder, Source } from '../../../import/source.ts'
export type { WaitReason } from '../../../import/wait-reason.ts'
