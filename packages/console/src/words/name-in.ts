/** A value that this version of the console does not know is shown as the API has it. */
export function nameIn(names: Record<string, string>, value: string): string {
  return Object.hasOwn(names, value) ? (names[value] ?? value) : value
}
