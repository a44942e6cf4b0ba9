import type { Answer } from './openapi.ts'
import { summary } from './api.ts'

/** Returns for each item what `summary` returns for a single response. */
export function summaries({ json }: Answer): string[] {
  return json.results.map(({ status, error }: any) => summary({ status, json: error }))
}

/** Returns the results as a dry run before this one: it has the ids only of records that existed. */
export function resultsOfDryRun({ json }: Answer): any[] {
  const created = new Set(json.results.filter(({ status }: any) => status === 201).map(({ id }: any) => id))
  return json.results.map(({ id, ...result }: any) => ({ ...result, ...(id && !created.has(id) && { id }) }))
}
