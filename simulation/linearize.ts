/**
 * Wing and Gong's search: is there an order of these operations, each taking effect at one moment between its call
 * and its end, in which every answer is what the model answers? One key at a time, because keys that share nothing
 * can be judged alone, and the search grows with the operations that overlap.
 */
export interface Operation<State> {
  /** For the story of a failure. */
  label: string
  call: number
  /** When its answer came; Infinity where none came, which may take effect at any time after its call, or never. */
  end: number
  /** The states that it may leave behind; none when its answer cannot have been given in this state. */
  apply: (state: State) => State[]
}

/** Undefined when there is such an order; else the longest beginning that there is, and what fits nowhere behind it. */
export function findViolation<State>(start: State, history: readonly Operation<State>[]): string | undefined {
  const operations = history.toSorted((a, b) => a.call - b.call)
  const isDone = operations.map(() => false)
  const seen = new Set<string>()
  const order: Operation<State>[] = []
  let longest: Operation<State>[] = []

  function search(state: State): boolean {
    if (operations.every(({ end }, i) => isDone[i] || end === Infinity)) return true
    const key = isDone.map(Number).join('') + JSON.stringify(state)
    if (seen.has(key)) return false
    seen.add(key)
    if (order.length >= longest.length) longest = [...order]
    // Whatever was called after another one had ended comes after it.
    const deadline = Math.min(...operations.map(({ end }, i) => (isDone[i] ? Infinity : end)))
    for (const [i, operation] of operations.entries()) {
      if (operation.call > deadline) break
      if (isDone[i]) continue
      isDone[i] = true
      order.push(operation)
      for (const next of operation.apply(state)) if (search(next)) return true
      order.pop()
      isDone[i] = false
    }
    return false
  }

  if (search(start)) return undefined
  const left = operations.filter((operation) => !longest.includes(operation))
  const tell = (list: Operation<State>[]) => list.map(({ label }) => label).join('; ')
  return `no order explains: ${tell(longest) || 'nothing'} | then none of: ${tell(left)}`
}
