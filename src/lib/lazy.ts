/** Computes a value at its first use and keeps it, so that start-up does no work that the first request does not need. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
