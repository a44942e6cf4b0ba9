/** A variant of a language: only the texts that differ. */
export type Variant<T> = T extends string | ((...given: never[]) => string) ? T : { [K in keyof T]?: Variant<T[K]> }

/** Returns the words with the texts of the variant in their place. */
export function overlay<T extends object>(words: T, variant: Variant<T>): T {
  const changes = new Map<string, unknown>(Object.entries(variant))
  const merged = { ...words }
  for (const name in words) {
    const [own, change] = [words[name], changes.get(name)]
    if (change === undefined) continue
    Object.assign(merged, { [name]: isGroup(own) && isGroup(change) ? overlay(own, change) : change })
  }
  return merged
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
