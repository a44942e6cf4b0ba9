/** Objects that have a value for each name of a list. */

export function ofEach<const Name extends string, T>(
  names: readonly Name[],
  valueOf: (name: Name, index: number) => T,
): Record<Name, T> {
  // Each user of a page is made by it: Object.fromEntries made a page take half as long again.
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- the loop sets all names
  const all = {} as Record<Name, T>
  names.forEach((name, index) => {
    all[name] = valueOf(name, index)
  })
  return all
}

/** The keys of an object, in its order. */
export function namesOf<T extends object>(of: T): readonly (keyof T & string)[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- keys() forgets the names
  return Object.keys(of) as (keyof T & string)[]
}
