/** A mistake in the Worker's source: one text in place of another. */
export interface Break {
  name: string
  /** A path relative to src/. */
  file: string
  from: string
  to: string
}
