/** The parts of the import engine (`import/` of the repository) that the console uses. */
import './buffer.ts'

export type { OnExisting } from '../../../import/batches.ts'
export { connect, GaveUp, Refused } from '../../../import/client.ts'
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
export { failedWriter, reasonText } from '../../../import/failed.ts'
export { Fingerprint } from '../../../import/fingerprint.ts'
export { inspect, type Inspection } from '../../../import/inspect.ts'
export { openFile, type Opened, type Row } from '../../../import/read.ts'
export { type FailedRow, type Keeper, runImport, type State } from '../../../import/run.ts'
export { FileError, type Source } from '../../../import/source.ts'
