/**
 * Holds a description to the code that it describes. A serializer and its schema are written apart, because the Worker
 * needs the one and not the other; where they differ in a key or in a type, this does not compile.
 */
import type * as z from 'zod'

/** Marks a key that may be left out: JSON has no undefined. */
interface LeftOut {
  leftOut: true
}

// oxlint-disable-next-line typescript/no-explicit-any -- it agrees with every description, in both directions
type Undetermined = any

/**
 * A type of which all keys are required, so that two of them can be compared in both directions. Of a value that the
 * compiler does not know (stored JSON, say) the description may say what it will; the tests hold the answers to it. A
 * key that never has a value is none: the compiler gives such keys to the members of a union of object literals.
 */
type Closed<T> = unknown extends T
  ? Undetermined
  : T extends readonly (infer Item)[]
    ? Closed<Item>[]
    : T extends object
      ? {
          [Key in keyof T as [Exclude<T[Key], undefined>] extends [never] ? never : Key]-?: undefined extends T[Key]
            ? Closed<Exclude<T[Key], undefined>> | LeftOut
            : Closed<T[Key]>
        }
      : T

type IsSame<A, B> = [Closed<A>] extends [Closed<B>] ? ([Closed<B>] extends [Closed<A>] ? true : false) : false

/** For the compiler's message: what either says of each key in which they differ. */
type Differences<Code, Description> = {
  [
    Key in keyof Code | keyof Description as Key extends keyof Code & keyof Description
      ? IsSame<Pick<Code, Key>, Pick<Description, Key>> extends true
        ? never
        : Key
      : Key
  ]: {
    code: Key extends keyof Code ? Code[Key] : 'has no such key'
    description: Key extends keyof Description ? Description[Key] : 'has no such key'
  }
}

/** `describes<ReturnType<typeof toUser>>()(schema)`: the schema itself, if it says just what the type says. */
export function describes<Code>() {
  return <S extends z.ZodType>(
    schema: S,
    ..._differ: IsSame<Code, z.output<S>> extends true ? [] : [differences: Differences<Code, z.output<S>>]
  ): S => schema
}
