/** The secrets of a local service, which wrangler reads from .dev.vars. */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export const VARS = '.dev.vars'

const MIN_LENGTH = 32

/** The secrets that `npm run dev` and `npm run deploy` generate, and that the deploy button asks for. */
export function secretNames(): string[] {
  return Object.keys(parseEnv(readFileSync('.dev.vars.example', 'utf8')))
}

/** The names of the secrets that are missing or empty in the file. */
export function missingSecrets(): string[] {
  const secrets = parseEnv(readVars())
  return secretNames().filter((name) => !secrets[name])
}

/** Generates the missing secrets and adds them to the file. The rest of the file stays byte for byte the same. */
export function completeSecrets(): NodeJS.Dict<string> {
  const before = readVars()
  let after = before
  for (const name of missingSecrets()) {
    const line = `${name}=${randomBytes(32).toString('hex')}`
    const empty = new RegExp(`^${name}=[ \\t]*$`, 'm')
    if (empty.test(after)) after = after.replace(empty, line)
    else after += `${after === '' || after.endsWith('\n') ? '' : '\n'}${line}\n`
  }
  if (after !== before) writeSecrets(VARS, after)
  return parseEnv(after)
}

/** Only the owner can read the file, also before the secrets are in it: `mode` alone is for a file that is new. */
export function writeSecrets(file: string, text: string): void {
  if (existsSync(file)) chmodSync(file, 0o600)
  writeFileSync(file, text, { mode: 0o600 })
}

/**
 * Sentences about secrets that are too short: the service rejects requests until they are replaced. `given` are those of the
 * command line, which take the place of the others.
 */
export function findProblem(secrets: NodeJS.Dict<string>, given: NodeJS.Dict<string> = {}): string | undefined {
  const short = secretNames().filter((name) => (given[name] ?? secrets[name] ?? '').length < MIN_LENGTH)
  const [ofCommand, ofFile] = [short.filter((name) => name in given), short.filter((name) => !(name in given))]
  const problems = [
    ofCommand.length > 0 && `${ofCommand.join(' and ')} of --var must have at least ${MIN_LENGTH} characters.`,
    ofFile.length > 0 &&
      `${ofFile.join(' and ')} in ${VARS} must have at least ${MIN_LENGTH} characters. Remove the line, and the next start generates a new secret.`,
  ]
  return problems.filter(Boolean).join(' ') || undefined
}

function readVars(): string {
  return existsSync(VARS) ? readFileSync(VARS, 'utf8') : ''
}
