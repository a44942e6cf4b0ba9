/** A failed request is a RegistrarError, whatever has gone wrong. */
import { RegistrarError } from 'registrar-client'

/** The status is that of a request that is not signed in. */
export function accessEnded(): RegistrarError {
  return new RegistrarError({
    status: 401,
    code: 'access_ended',
    message: 'The session of Cloudflare Access has ended.',
  })
}

/** Returns what a failed request threw; anything but a RegistrarError means that there was no response. */
export function toFailure(error: unknown): RegistrarError {
  if (error instanceof RegistrarError) return error
  return new RegistrarError({
    status: 0,
    code: 'no_response',
    message: error instanceof Error ? error.message : String(error),
  })
}
