/** The secrets of the environment. */
import { log } from '../lib/log.ts'

interface Secrets {
  ADMIN_TOKEN?: string | undefined
  TOKEN_KEY?: string | undefined
  TOKEN_KEY_PREVIOUS?: string | undefined
}

/**
 * The root's token; empty if it is not set. No header can end with a blank or a line break, which a file or a pipe easily
 * adds, so those at its end do not count. The token keys are used as they are: with another key, every token is invalid.
 */
export function rootToken({ ADMIN_TOKEN = '' }: Secrets): string {
  return ADMIN_TOKEN.trimEnd()
}

/** The environments whose secrets have been checked: an instance has one. */
const checked = new WeakSet<object>()

/** Logs, once per instance, which secrets end with blanks or line breaks. */
export function warnOfBlanks(env: Secrets): void {
  if (checked.has(env)) return
  checked.add(env)
  const { ADMIN_TOKEN, TOKEN_KEY, TOKEN_KEY_PREVIOUS } = env
  for (const [secret, value = ''] of Object.entries({ ADMIN_TOKEN, TOKEN_KEY, TOKEN_KEY_PREVIOUS })) {
    if (value !== value.trimEnd()) log('warning', { code: 'secret_ends_with_blanks', secret })
  }
}
