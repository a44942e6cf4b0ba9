/**
 * Part of the build command in wrangler.toml. It prepares a plain `npx wrangler dev` on a fresh clone, which would
 * otherwise answer 503 to every request. A deployment, a test harness and a service that is prepared are left alone.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readCommand } from './build-command.ts'
import { isUsed } from './local-database.ts'
import { missingSecrets } from './local-secrets.ts'

const argv = process.env['WRANGLER_COMMAND'] === 'dev' && !process.env['REGISTRAR_PREPARED'] ? readCommand() : undefined
if (argv !== undefined && !isPrepared(argv)) await prepareOnce(argv)

/** Runs on each rebuild, so it loads neither wrangler nor the demo store, which takes more than a second. */
function isPrepared(given: string[]): boolean {
  const { values } = parseArgs({
    args: given,
    strict: false,
    allowPositionals: true,
    options: { 'persist-to': { type: 'string' }, persistTo: { type: 'string' } },
  })
  const state = values['persist-to'] ?? values.persistTo ?? '.wrangler/state'
  return missingSecrets().length === 0 && isUsed(String(state))
}

async function prepareOnce(given: string[]): Promise<void> {
  const { flagsOf, isSet, parseOptions, valueOf } = await import('./wrangler-options.ts')
  const { NotPrepared, prepare } = await import('./prepare.ts')
  const { STATE, tokenFile } = await import('./demo.ts')
  const all = parseOptions(given, flagsOf('dev'), { allowPositionals: true })
  if (isSet(all, 'remote')) return
  // wrangler has already changed to the directory that --cwd names.
  const options = all.filter(({ flag }) => flag.name !== 'cwd')
  console.log('Preparing the local database and the demo store.')
  try {
    const { problem } = await prepare(options)
    const file = tokenFile(valueOf(options, 'persist-to') ?? STATE)
    console.log(problem ?? (existsSync(file) ? `The token of the demo store is in ${file}.` : ''))
  } catch (error) {
    if (!(error instanceof NotPrepared)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
