/** The form of a record: what was typed, what is wrong with it, and the request that saves it. */
import { useState } from 'react'
import { useChange } from '../api/changes.ts'
import { changed } from './changed.ts'
import { type Fields, useFormErrors } from './form-errors.ts'

interface Options<F, Out> {
  /** The values with which the form begins. Later ones are ignored, or they would overwrite what was typed. */
  before: F
  /** Each field that the form shows, with its text and what makes it valid. */
  checks: (fields: F, before: F) => Fields
  /** An update sends `changes` only: the other fields may have a newer value than the form shows. */
  send: (fields: F, changes: Partial<F>) => Promise<Out>
  done?: string | ((out: Out) => string)
  onDone: (out: Out) => void
}

export function useRecordForm<F extends object, Out>({ checks, send, ...options }: Options<F, Out>) {
  const [before] = useState(options.before)
  const [fields, setFields] = useState(before)
  const change = useChange<F, Out>({
    change: (after) => send(after, changed(before, after)),
    ...(options.done !== undefined && { done: options.done }),
    onDone: options.onDone,
  })
  const errors = useFormErrors(change.failure, checks(fields, before))
  return {
    fields,
    set: (changes: Partial<F>) => setFields((now) => ({ ...now, ...changes })),
    /** The properties of an input whose `onChange` gets the value. */
    input: <K extends keyof F & string>(name: K) => ({
      value: fields[name],
      onChange: (value: F[K]) => setFields((now) => ({ ...now, [name]: value })),
      error: errors.shown[name],
    }),
    /** The properties of an input whose `onChange` gets an event. */
    text: (name: keyof F & string) => ({
      value: String(fields[name] ?? ''),
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        setFields((now) => ({ ...now, [name]: currentTarget.value })),
      error: errors.shown[name],
    }),
    errors: errors.shown,
    /** The properties of `DialogForm`. */
    form: { change, errors, onSubmit: () => change.run(fields) },
  }
}
