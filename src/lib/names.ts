/** Objects that have a value for each name of a list. */

export function ofEach<const Name extends string, T>(
  names: readonly Name[],
  valueOf: (name: Name, index: number) => T,
): Record<Name, T> {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- fromEntries forgets the names
  return Object.fromEntries(names.map((name, index) => [name, valueOf(name, index)])) as Record<Name, T>
}

/** The keys of an object, in its order. */
export function namesOf<T extends object>(of: T): readonly (keyof T & string)[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- keys() forgets the names
  return Object.keys(of) as (keyof T & string)[]
}
