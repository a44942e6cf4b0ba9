/**
 * Argon2id, the first choice of the OWASP Password Storage Cheat Sheet. Workers have none of their own, so this is the
 * reference implementation in WebAssembly. It blocks the instance for 20 to 80 ms, so a password is hashed only after
 * everything else has been checked, and after a pause (src/modules/users/passwords/hash-pace.ts).
 */
import Argon2 from '@phi-ag/argon2'
import module from '@phi-ag/argon2/argon2.wasm'
import { lazy } from '../../../lib/lazy.ts'
import { isLocal } from '../../../lib/environment.ts'
import { paceHash } from './hash-pace.ts'

/** The OWASP Password Storage Cheat Sheet: Argon2id with 19 MiB of memory (in KiB here), two passes and one lane. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1, hashLength: 32 } as const

interface PasswordSettings {
  ENVIRONMENT: string
  /** KiB of memory, for tests. */
  PASSWORD_COST?: string
}

interface NewPassword {
  password: string
  /** The store of the caller, or 0 for an operator. If several wait, they take turns. */
  store: number
}

const argon2 = lazy(() => new Argon2(new WebAssembly.Instance(module)))

/**
 * Returns a PHC string. It contains the parameters, so they can be raised without a change to existing rows. Throws
 * `hashing_too_busy`, and an error if PASSWORD_COST is set in a deployed environment.
 */
export async function hashPassword(settings: PasswordSettings, { password, store }: NewPassword): Promise<string> {
  const options = { ...ARGON2ID, memoryCost: costOf(settings) }
  return paceHash(settings, store, () => argon2().hash(inBytes(password), options).encoded)
}

interface Verification extends NewPassword {
  /** The PHC string of the password that is stored. */
  hash: string | null
}

const MISMATCH = 'The password does not match the supplied hash'

/**
 * True if the PHC string was made from the password. If it is null, this computes a hash all the same and returns false:
 * otherwise the response time would show whether the user exists and has a password. Throws `hashing_too_busy`.
 */
export async function isPasswordOf(
  settings: PasswordSettings,
  { password, hash, store }: Verification,
): Promise<boolean> {
  if (hash === null) {
    await hashPassword(settings, { password, store })
    return false
  }
  const { success, error } = await paceHash(settings, store, () => argon2().tryVerify(hash, inBytes(password)))
  if (!success && error !== MISMATCH) throw new Error(`a password hash could not be read: ${error}`)
  return success
}

/**
 * The package takes the length of the string for the number of its bytes in UTF-8, and would not hash the end of a
 * password with other characters than ASCII. Zeros after the password make the string that long; they are not hashed.
 */
function inBytes(password: string): string {
  return password.padEnd(new TextEncoder().encode(password).byteLength, '\0')
}

/** KiB of memory. */
function costOf(settings: PasswordSettings): number {
  const { PASSWORD_COST } = settings
  const memory = PASSWORD_COST === undefined ? ARGON2ID.memoryCost : Number(PASSWORD_COST)
  if (memory !== ARGON2ID.memoryCost && !isLocal(settings)) {
    throw new Error('PASSWORD_COST is for development and tests')
  }
  return memory
}
