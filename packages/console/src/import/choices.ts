import { NO_FIELD } from './engine.ts'

/**
 * Applies the operator's earlier choices to columns of the same name. Without them, a column that was mapped by hand
 * would be ignored in the file of its failed rows.
 */
export function withChoices(guessed: Record<string, string>, choices: Map<string, string>): Record<string, string> {
  const chosen = new Map([...choices].filter(([column]) => column in guessed))
  const taken = new Set(chosen.values())
  const rename = Object.entries(guessed).map(([column, field]) => [
    column,
    chosen.get(column) ?? (taken.has(field) ? NO_FIELD : field),
  ])
  return Object.fromEntries(rename)
}
