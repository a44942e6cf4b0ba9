/**
 * Visits every state that a model can reach, by whatever interleaving, nearest first: so the story of a violation is
 * a shortest one. A state is plain data, and its JSON is all of it.
 */
export interface Model<State> {
  start: State
  /** Tells each thing that may happen next, as a change of a copy of the state. */
  moves: (state: State, may: May<State>) => void
  /** What must never be: one sentence when it is. */
  violated: (state: State) => string | undefined
  /** What must stay within reach from every state, without anything that goes wrong. */
  isGood?: (state: State) => boolean
  /** Lists whose order means nothing. */
  bags: (state: State) => unknown[][]
}

export type May<State> = (label: string, change: (next: State) => void, kind?: 'goes wrong') => void

export interface Found {
  states: number
  violation?: string
  /** The labels of the moves that lead to it. */
  story: string[]
}

interface Visit<State> {
  state: State
  /** The first move that led here. */
  from: Visit<State> | undefined
  label: string
  /** From where a move leads here that is no mishap. */
  before: Visit<State>[]
}

export function explore<State>(model: Model<State>): Found {
  const visits: Visit<State>[] = []
  const known = new Map<string, Visit<State>>()

  function visit(state: State, label = '', from?: Visit<State>): Visit<State> {
    for (const bag of model.bags(state)) bag.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    const key = JSON.stringify(state)
    const found = known.get(key) ?? { state, from, label, before: [] }
    if (!known.has(key)) visits.push(found)
    known.set(key, found)
    return found
  }

  visit(structuredClone(model.start))
  for (const here of visits) {
    const violation = model.violated(here.state)
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
  return { states: visits.length, violation: 'nothing leads to the good end any more', story: storyOf(stuck) }
}

function storyOf<State>(end: Visit<State>): string[] {
  const labels: string[] = []
  for (let visit = end; visit.from; visit = visit.from) labels.unshift(visit.label)
  return labels
}

/** The first from which no good one can be reached. */
function findStuck<State>(visits: Visit<State>[], isGood: (state: State) => boolean): Visit<State> | undefined {
  const reaches = new Set(visits.filter(({ state }) => isGood(state)))
  for (const { before } of reaches) for (const each of before) reaches.add(each)
  return visits.find((visit) => !reaches.has(visit))
}
