/** Makes a value at its first use: a start builds nothing that its first request does not need. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
