/**
 * Wing and Gong's search: is there an order of these operations that explains every response, if each operation takes
 * effect at one moment between its start and its end? Each key is searched on its own, because the time of the search
 * grows exponentially with the number of operations that overlap.
 */
export interface Operation<State> {
  /** One line that describes the operation in a violation. */
  label: string
  start: number
  /**
   * The time of the response. If it is Infinity, the operation may take effect at any time after its start, or never.
   */
  end: number
  /** The possible next states; none if the response is impossible in this state. */
  apply: (state: State) => State[]
}

/**
 * Returns undefined if there is such an order; otherwise the longest partial order, and the operations that do not fit
 * after it.
 */
export function findViolation<State>(initial: State, history: readonly Operation<State>[]): string | undefined {
  const operations = history.toSorted((a, b) => a.start - b.start)
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
    // An operation that started after another one had ended comes after it.
    const deadline = Math.min(...operations.map(({ end }, i) => (isDone[i] ? Infinity : end)))
    for (const [i, operation] of operations.entries()) {
      if (operation.start > deadline) break
      if (isDone[i]) continue
      isDone[i] = true
      order.push(operation)
      for (const next of operation.apply(state)) if (search(next)) return true
      order.pop()
      isDone[i] = false
    }
    return false
  }

  if (search(initial)) return undefined
  const left = operations.filter((operation) => !longest.includes(operation))
  const labels = (list: Operation<State>[]) => list.map(({ label }) => label).join('; ')
  return `no order explains: ${labels(longest) || 'nothing'} | then none of: ${labels(left)}`
}
