/**
 * scrypt from node:crypto: the only memory-hard function that Workers have natively. It blocks the instance for about
 * 0.15 s, so a password is hashed only after everything else has been checked, and in turn (hash-turns.ts).
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { SCRYPT } from '../../limits.ts'
import { isLocal } from '../environment.ts'
import { hashInTurn } from './hash-turns.ts'

interface PasswordSettings {
  ENVIRONMENT: string
  /** log2 of N, for tests. */
  PASSWORD_COST?: string
}

interface NewPassword {
  password: string
  /** The store that hashes it. If several wait, the stores take turns. */
  store: number
}

/**
 * Returns a PHC string. It contains the parameters, so they can be raised without a change to existing rows. Throws
 * `hashing_too_busy`, and an error if PASSWORD_COST is set in a deployed environment.
 */
export async function hashPassword(settings: PasswordSettings, { password, store }: NewPassword): Promise<string> {
  const { r, p, saltBytes, hashBytes } = SCRYPT
  const ln = costOf(settings)
  const salt = randomBytes(saltBytes)
  const hash = await hashInTurn(settings, store, () => derive(password, salt, { ln, r, p, bytes: hashBytes }))
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`
}

const PHC = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

interface Verification extends NewPassword {
  /** The PHC string of the password that is stored. */
  hash: string | null
}

/**
 * True if the PHC string was made from the password. If it is null, this computes a hash all the same and returns false:
 * otherwise the response time would show whether the user exists and has a password. Throws `hashing_too_busy`.
 */
export async function isPasswordOf(
  settings: PasswordSettings,
  { password, hash: phc, store }: Verification,
): Promise<boolean> {
  const { r, p, saltBytes, hashBytes } = SCRYPT
  if (phc === null) {
    const parameters = { ln: costOf(settings), r, p, bytes: hashBytes }
    await hashInTurn(settings, store, () => derive(password, Buffer.alloc(saltBytes), parameters))
    return false
  }
  const match = PHC.exec(phc)
  if (!match) throw new Error('a password hash that is not a PHC string of scrypt')
  const [, ownLn, ownR, ownP, salt = '', hash = ''] = match
  const expected = Buffer.from(hash, 'base64')
  const parameters = { ln: Number(ownLn), r: Number(ownR), p: Number(ownP), bytes: expected.length }
  const derived = await hashInTurn(settings, store, () => derive(password, Buffer.from(salt, 'base64'), parameters))
  return timingSafeEqual(derived, expected)
}

/** log2 of N. */
function costOf(settings: PasswordSettings): number {
  const { PASSWORD_COST } = settings
  const ln = PASSWORD_COST === undefined ? SCRYPT.log2N : Number(PASSWORD_COST)
  if (ln !== SCRYPT.log2N && !isLocal(settings)) {
    throw new Error('PASSWORD_COST is for development and tests')
  }
  return ln
}

interface Parameters {
  ln: number
  r: number
  p: number
  bytes: number
}

function derive(password: string, salt: Buffer, { ln, r, p, bytes }: Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, bytes, { N: 2 ** ln, r, p }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
