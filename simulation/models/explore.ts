/**
 * Visits every state that a model can reach, by whatever interleaving, nearest first: so the story of a violation is
 * a shortest one. States are compared by their JSON.
 */
export interface Move<State> {
  label: string
  to: State
  /** Something that goes wrong, or that nobody has to do: what must happen in the end must not need it. */
  isChance?: boolean
}

export interface Model<State> {
  start: State
  moves: (state: State) => Move<State>[]
  /** What must never be: one sentence each when it is. */
  violated: (state: State) => string | undefined
  /** What must stay within reach from every state, by the moves that are no chance. */
  isGood?: (state: State) => boolean
}

/** What a state is made of: plain data, so that its JSON is all of it. */
export function copy<State>(state: State): State {
  return JSON.parse(JSON.stringify(state))
}

export interface Found {
  states: number
  violation?: string
  /** The labels of the moves that lead to it. */
  story: string[]
}

export function explore<State>({ start, moves, violated, isGood }: Model<State>): Found {
  const states: State[] = [start]
  const known = new Map([[JSON.stringify(start), 0]])
  const cameBy: { from: number; label: string }[] = [{ from: -1, label: '' }]
  /** Backwards along the moves that are no chance. */
  const before: number[][] = [[]]

  function story(at: number): string[] {
    const labels: string[] = []
    for (let step = cameBy[at]; step && step.from >= 0; step = cameBy[step.from]) labels.unshift(step.label)
    return labels
  }

  for (const [at, state] of states.entries()) {
    const violation = violated(state)
    if (violation !== undefined) return { states: states.length, violation, story: story(at) }
    for (const { label, to, isChance = false } of moves(state)) {
      const key = JSON.stringify(to)
      let next = known.get(key)
      if (next === undefined) {
        known.set(key, (next = states.length))
        states.push(to)
        cameBy.push({ from: at, label })
        before.push([])
      }
      if (!isChance) before[next]?.push(at)
    }
  }

  const stuck = isGood && findStuck(states, before, isGood)
  if (stuck === undefined) return { states: states.length, story: [] }
  return { states: states.length, violation: 'nothing leads to the good end any more', story: story(stuck) }
}

/** The first state from which no good one can be reached. */
function findStuck<State>(states: State[], before: number[][], isGood: (state: State) => boolean): number | undefined {
  const reaches = new Uint8Array(states.length)
  const left = [...states.keys()].filter((at) => {
    const state = states[at]
    return state !== undefined && isGood(state)
  })
  for (const at of left) reaches[at] = 1
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const from of before[at] ?? []) {
      if (reaches[from] === 1) continue
      reaches[from] = 1
      left.push(from)
    }
  }
  const found = reaches.indexOf(0)
  return found === -1 ? undefined : found
}
