/** Changes: what is on the screen is read again after each, and what went well is said. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Failure, toFailure } from './failure.ts'
import { useNote } from './notes.ts'

interface Options<In, Out> {
  change: (input: In) => Promise<Out>
  /** Said once it is done. */
  done?: string | ((out: Out) => string)
  onDone?: (out: Out, input: In) => void
}

export interface Change<In> {
  run: (input: In) => void
  isRunning: boolean
  failure: Failure | undefined
  reset: () => void
}

export function useChange<In, Out>({ change, done, onDone }: Options<In, Out>): Change<In> {
  const client = useQueryClient()
  const note = useNote()
  const mutation = useMutation({
    mutationFn: change,
    onSuccess: (out, input) => {
      if (done !== undefined) note(typeof done === 'function' ? done(out) : done)
      onDone?.(out, input)
    },
    // After a failure too: a 412 or 404 says that what is shown is old, and a lost answer may have been a success.
    onSettled: () => void client.invalidateQueries(),
  })
  return {
    run: mutation.mutate,
    isRunning: mutation.isPending,
    failure: mutation.error ? toFailure(mutation.error) : undefined,
    reset: mutation.reset,
  }
}

/** One key for one form: sent again after a lost answer, the same creation answers what it made. */
export function useIdempotencyKey(): { key: string; renew: () => void } {
  const [key, setKey] = useState(() => crypto.randomUUID())
  return { key, renew: () => setKey(crypto.randomUUID()) }
}
