/**
 * Visits every state that a model can reach in any interleaving. It visits the nearest states first, so the story of a
 * violation is a shortest one. A state is plain data, and two states with the same JSON are the same state.
 */
export interface Model<State> {
  start: State
  /** Calls `addMove` for each thing that may happen next, with a function that changes a copy of the state. */
  moves: (state: State, addMove: AddMove<State>) => void
  /** Returns the invariant that the state violates, as a sentence. */
  findViolation: (state: State) => string | undefined
  /** From every state, a good state must be reachable without faults. */
  isGood?: (state: State) => boolean
  /** Lists whose order has no meaning. They are sorted, so that fewer states are different. */
  unordered: (state: State) => unknown[][]
}

export type AddMove<State> = (label: string, change: (next: State) => void, kind?: 'goes wrong') => void

export interface Exploration {
  states: number
  violation?: string
  /** The labels of the moves that lead to the violation. */
  story: string[]
}

interface Visit<State> {
  state: State
  /** The state before the first move that led here. */
  from: Visit<State> | undefined
  label: string
  /** The states from which a move without a fault leads here. */
  before: Visit<State>[]
}

export function explore<State>(model: Model<State>): Exploration {
  const visits: Visit<State>[] = []
  const known = new Map<string, Visit<State>>()

  function visit(state: State, label = '', from?: Visit<State>): Visit<State> {
    for (const list of model.unordered(state)) list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    const key = JSON.stringify(state)
    const found = known.get(key) ?? { state, from, label, before: [] }
    if (!known.has(key)) visits.push(found)
    known.set(key, found)
    return found
  }

  visit(structuredClone(model.start))
  for (const here of visits) {
    const violation = model.findViolation(here.state)
    if (violation !== undefined) return { states: visits.length, violation, story: storyOf(here) }
    const text = JSON.stringify(here.state)
    model.moves(here.state, (label, change, kind) => {
      const next: State = JSON.parse(text)
      change(next)
      const there = visit(next, label, here)
      if (kind === undefined) there.before.push(here)
    })
  }
  const stuck = model.isGood && findStuck(visits, model.isGood)
  if (!stuck) return { states: visits.length, story: [] }
  return { states: visits.length, violation: 'no good state can be reached any more', story: storyOf(stuck) }
}

function storyOf<State>(end: Visit<State>): string[] {
  const labels: string[] = []
  for (let visit = end; visit.from; visit = visit.from) labels.unshift(visit.label)
  return labels
}

/** Returns the first state from which no good state can be reached. */
function findStuck<State>(visits: Visit<State>[], isGood: (state: State) => boolean): Visit<State> | undefined {
  const reaches = new Set(visits.filter(({ state }) => isGood(state)))
  for (const { before } of reaches) for (const each of before) reaches.add(each)
  return visits.find((visit) => !reaches.has(visit))
}
