/**
 * A mistake in the Worker's source: what is dropped or replaced, found by a pattern. A pattern is a piece of TypeScript
 * (an expression, a property such as `etag: _`, or a statement) and is compared with the syntax tree, so it does not
 * matter how the source is formatted. In it
 *
 * - `_` stands for any expression; so does `$name`, which stands for the same everywhere in the pattern and in `by`;
 * - `..._` and `...$name` stand for any number of arguments, elements or properties;
 * - a template literal stands for a part of one: `${_} is null` for a part of some SQL. If the pattern is nothing else,
 *   only this part is replaced or dropped.
 *
 * It must match exactly once, and name nothing that only its file knows: no local variable, no parameter, no function
 * that is not exported. So a change of the source breaks a break only if it changes what the break is about.
 */
export type Change = {
  /** Only in the declaration, the method or the property of this name: an exported name, or one of a class or an object. */
  in?: string
} & (
  | {
      /** An argument, an element, a property, a statement, or a part of a text. */
      drop: string
    }
  | { replace: string; by: string }
)

export interface Break {
  /** What is wrong then. */
  name: string
  /** A path relative to src/. */
  file: string
  change: Change
}

/** The changes of each file, by the names of the breaks. */
export type BreaksOfFiles = Record<string, Record<string, Change>>
