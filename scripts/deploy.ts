/**
 * `npm run deploy`: makes what is missing, migrates, deploys. The tables exist before the Worker that needs them,
 * on a new account too, so the database is made here rather than by `wrangler deploy`, and so are the queues, of
 * which it makes none that is only consumed. Options of this script: `--location weur|eeur|wnam|enam|apac|oc` places
 * a new database; all others go to `wrangler deploy`.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Unstable_Config, unstable_readConfig } from 'wrangler'
import { WRANGLER } from './wrangler.ts'

const { values, tokens } = parseArgs({ options: { location: { type: 'string' } }, strict: false, tokens: true })
const location = typeof values.location === 'string' ? values.location : undefined
const isDryRun = values['dry-run'] === true
const isOurs = new Set(
  tokens.filter((token) => token.kind === 'option' && token.name === 'location').map(({ index }) => index),
)
const deployOptions = process.argv.slice(2).filter((_, index) => !isOurs.has(index) && !isOurs.has(index - 1))

if (!isDryRun) {
  const lookUp = wrangler(['d1', 'info', 'DB', '--json'], 'pipe')
  if (lookUp.status !== 0) {
    const [, name] = /Couldn't find a(?:n auto-provisioned)? D1 DB named '([^']+)'/.exec(lookUp.output) ?? []
    if (name === undefined) fail(lookUp.output)
    run(['d1', 'create', name, '--update-config=false', ...(location === undefined ? [] : ['--location', location])])
  }
  run(['d1', 'migrations', 'apply', 'DB', '--remote'])
  makeQueues()
}
run(['deploy', ...deployOptions])

/** Those of wrangler.toml. Looked up first: to make one that exists is an error. */
function makeQueues(): void {
  const { queues }: Unstable_Config = unstable_readConfig({})
  const sent = queues.producers?.flatMap(({ queue }) => queue ?? []) ?? []
  const received = queues.consumers?.flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue ?? []]) ?? []
  for (const queue of new Set([...sent, ...received.flat()])) {
    const lookUp = wrangler(['queues', 'info', queue], 'pipe')
    if (lookUp.status === 0) continue
    if (!lookUp.output.includes(`Queue "${queue}" does not exist`)) fail(lookUp.output)
    run(['queues', 'create', queue])
  }
}

function run(command: string[]): void {
  const { status } = wrangler(command, 'inherit')
  if (status !== 0) fail(`wrangler ${command.join(' ')} failed.`)
}

function wrangler(command: string[], stdio: 'inherit' | 'pipe') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...command], { stdio, encoding: 'utf8' })
  return { status, output: `${stdout ?? ''}${stderr ?? ''}` }
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
