/** Finds what an operator types in a list of choices. */

interface Choice {
  value: string
  label: string
}

/** Without case and accents: nobody looks for `espana` in vain. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** Those that begin with the text come first, then those with a word that does, then those that contain it. */
export function matchesOf<T extends Choice>(choices: T[], text: string): T[] {
  const wanted = foldText(text)
  const rankOf = ({ label }: T) => {
    const folded = foldText(label)
    return folded.startsWith(wanted) ? 0 : folded.includes(` ${wanted}`) ? 1 : folded.includes(wanted) ? 2 : undefined
  }
  return choices
    .flatMap((choice) => {
      const rank = rankOf(choice)
      return rank === undefined ? [] : [{ choice, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice)
}

/** The only choice whose label is the text. */
export function exactMatch<T extends Choice>(choices: T[], text: string): T | undefined {
  const [first, ...others] = choices.filter(({ label }) => foldText(label) === foldText(text))
  return others.length === 0 ? first : undefined
}
