import { type Answer, summary } from './api.ts'

/** What a batch answers to each item, as `summary` tells a single answer. */
export function summaries({ json }: Answer): string[] {
  return json.results.map(({ status, error }: any) => summary({ status, json: error }))
}

/** The results as a dry run has them. */
export function resultsWithoutIds({ json }: Answer): any[] {
  return json.results.map(({ index, status, error }: any) => ({ index, status, ...(error && { error }) }))
}
