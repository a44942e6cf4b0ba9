import type { Answer } from './openapi.ts'
import { summary } from './api.ts'

/** Returns for each item what `summary` returns for a single response. */
export function summaries({ json }: Answer): string[] {
  return json.results.map(({ status, error }: any) => summary({ status, json: error }))
}

/** Returns the results as a dry run does. */
export function resultsWithoutIds({ json }: Answer): any[] {
  return json.results.map(({ index, status, error }: any) => ({ index, status, ...(error && { error }) }))
}
