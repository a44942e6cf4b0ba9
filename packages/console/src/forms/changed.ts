/**
 * Returns the fields whose value differs from `before`, which must be the record as the form began with it. The other
 * fields may have a newer value than the form shows, and sending them would overwrite a colleague's change.
 */
export function changed<F extends object>(before: F, after: F): Partial<F> {
  const changes: Partial<F> = { ...after }
  for (const name in after) if (Object.is(after[name], before[name])) delete changes[name]
  return changes
}
