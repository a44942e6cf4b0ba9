/**
 * scrypt from node:crypto: the one memory-hard function that Workers have natively. It blocks the instance while
 * it runs (about 0.15 s), so callers hash only what has passed every check that needs no database.
 */
import { randomBytes, scrypt } from 'node:crypto'
import { SCRYPT } from '../limits.ts'

export interface PasswordSettings {
  ENVIRONMENT: string
  /** log2 of N, for tests. */
  PASSWORD_COST?: string
}

/** A PHC string, so that parameters can be raised without touching old rows. Throws where a cheaper cost is not allowed. */
export async function hashPassword(
  password: string,
  { ENVIRONMENT, PASSWORD_COST }: PasswordSettings,
): Promise<string> {
  const { r, p, saltBytes, hashBytes } = SCRYPT
  const log2N = PASSWORD_COST === undefined ? SCRYPT.log2N : Number(PASSWORD_COST)
  if (log2N !== SCRYPT.log2N && ENVIRONMENT !== 'development' && ENVIRONMENT !== 'test') {
    throw new Error('PASSWORD_COST is for development and tests')
  }
  const salt = randomBytes(saltBytes)
  const hash = await new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, hashBytes, { N: 2 ** log2N, r, p }, (error, key) => (error ? reject(error) : resolve(key)))
  })
  return `$scrypt$ln=${log2N},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
