/** The engine of `npm run import`, as it stands: scripts/import. */
import './buffer.ts'

export type { OnExisting } from '../../../scripts/import/batches.ts'
export { connect, GaveUp, Refused } from '../../../scripts/import/client.ts'
export {
  columnsOf,
  CUSTOM_FIELD,
  IGNORED,
  JSON_FIELDS,
  PRODUCTS,
  type Reason,
  REQUIRED,
  TEXTS,
} from '../../../scripts/import/columns.ts'
export { failedWriter, reasonText } from '../../../scripts/import/failed.ts'
export { Fingerprint } from '../../../scripts/import/fingerprint.ts'
export { inspect, type Inspection } from '../../../scripts/import/inspect.ts'
export { openFile, type Opened, type Row } from '../../../scripts/import/read.ts'
export { type FailedRow, type Keeper, runImport, type State } from '../../../scripts/import/run.ts'
export { FileError, type Source } from '../../../scripts/import/source.ts'
