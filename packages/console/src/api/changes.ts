/**
 * Sends changes. After each one, everything on the screen is read again, and a success is reported in a notification.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RegistrarError } from 'registrar-client'
import { toFailure } from './failure.ts'
import { useNote } from './notes.ts'

interface Options<In, Out> {
  change: (input: In) => Promise<Out>
  /** The text of the notification after a success. */
  done?: string | ((out: Out) => string)
  onDone?: (out: Out, input: In) => void
}

export interface Change<In> {
  run: (input: In) => void
  isRunning: boolean
  failure: RegistrarError | undefined
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
    // Data is also read again after a failure: a 412 or 404 means that the screen is out of date, and a change without
    // a response may have been saved.
    onSettled: () => void client.invalidateQueries(),
  })
  return {
    run: mutation.mutate,
    isRunning: mutation.isPending,
    failure: mutation.error ? toFailure(mutation.error) : undefined,
    reset: mutation.reset,
  }
}

/**
 * One idempotency key per form. If a create is sent again because its response was lost, the API returns the record
 * that it created the first time.
 */
export function useIdempotencyKey(): { key: string; renew: () => void } {
  const [key, setKey] = useState(() => crypto.randomUUID())
  return { key, renew: () => setKey(crypto.randomUUID()) }
}
