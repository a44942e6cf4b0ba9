/** How the whole names of a file are split, as it is shown before anything is sent. */
import type { Item } from './columns.ts'
import { textIn } from './text-in.ts'
import { isDoubtful } from './whole-name.ts'

export interface NameSplit {
  line: number
  name: string
  last_name: string
}

export interface NameSplits {
  count: number
  /** Those that the rule may split in the wrong place. */
  doubtful: number
  /** Some of them, doubtful ones first. */
  first: NameSplit[]
}

const SHOWN = 20

export interface SplitSurvey {
  add: (line: number, item: Item) => void
  /** Undefined if no whole name is split. */
  result: () => NameSplits | undefined
}

export function surveySplits(): SplitSurvey {
  const [doubtful, plain]: [NameSplit[], NameSplit[]] = [[], []]
  const counts = { count: 0, doubtful: 0 }
  return {
    add(line, { item, unsplit }) {
      const [name, lastName] = [textIn(item, 'name'), textIn(item, 'last_name')]
      if (unsplit === undefined || name === undefined || lastName === undefined) return
      const isInDoubt = isDoubtful(unsplit)
      counts.count++
      if (isInDoubt) counts.doubtful++
      const shown = isInDoubt ? doubtful : plain
      if (shown.length < SHOWN) shown.push({ line, name, last_name: lastName })
    },
    result: () => (counts.count > 0 ? { ...counts, first: [...doubtful, ...plain].slice(0, SHOWN) } : undefined),
  }
}
