/** The result of each item of a batch. */
import { type ApiError, errorFields } from '../errors/api-error.ts'
import { ERRORS } from '../../error-codes.ts'

interface ItemResult {
  isCreated: boolean
  /** The number of the record, if it is known. */
  number: number | undefined
  error: ApiError | undefined
}

function toResult({ isCreated, number, error }: ItemResult, index: number) {
  const successStatus = isCreated ? 201 : 200
  return {
    index,
    status: error ? ERRORS[error.code].status : successStatus,
    id: number === undefined ? undefined : String(number),
    error: error && errorFields(error),
  }
}

/** The results are in the order of the items. */
export function toBatch(isDryRun: boolean, results: ItemResult[]) {
  return { dry_run: isDryRun, results: results.map(toResult) }
}
