/** Fails if a generated file is stale: env.d.ts, the migrations, the OpenAPI document, or a page of docs/. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { findRemoval, findUnanswered } from './drizzle-output.ts'
import { generatedFiles } from './generated-files.ts'
import { WRANGLER } from './wrangler.ts'

const stale: string[] = []

for (const [path, content] of Object.entries(await generatedFiles())) {
  const isUpToDate = existsSync(path) && readFileSync(path, 'utf8') === content
  if (!isUpToDate) stale.push(`${path}: run \`npm run generate:docs\``)
}

const types = ['types', 'src/env.d.ts', '--env-file=.dev.vars.example', '--strict-vars=false', '--check']
/** drizzle-kit reports a change only by writing a migration, so it writes into a copy. */
const copy = 'dist/drizzle-check'
rmSync(copy, { recursive: true, force: true })
cpSync('drizzle', copy, { recursive: true })
const generate = ['generate', '--dialect=sqlite', '--schema=src/db/schema/*.ts', `--out=${copy}`]

const [typesResult, generateResult] = await Promise.all([
  run(process.execPath, [WRANGLER, ...types]),
  run('drizzle-kit', generate),
])
const typesProblem = problemOf(typesResult)
const generateProblem = problemOf(generateResult) ?? findUnanswered(generateResult.output)
if (typesProblem !== undefined) stale.push(`src/env.d.ts: run \`npm run generate:env\`${typesProblem}`)
if (generateProblem !== undefined || readdirSync(copy).length !== readdirSync('drizzle').length)
  stale.push(`drizzle/: run \`npm run db:generate\`. ${generateProblem ?? ''}`)
for (const name of readdirSync('drizzle').filter((file) => file.endsWith('.sql'))) {
  const removal = findRemoval(readFileSync(`drizzle/${name}`, 'utf8'))
  if (removal !== undefined) stale.push(`drizzle/${name}: ${removal}`)
}

if (stale.length > 0) {
  console.error(`Not up to date:\n${stale.join('\n')}`)
  process.exit(1)
}
console.log('Generated files are up to date.')

interface Result {
  code: number | null
  output: string
}

async function run(command: string, args: string[]): Promise<Result> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output: `${output}${errors}` }
}

/** What the command has printed, if it has failed. It may have failed for another reason than a stale file. */
function problemOf({ code, output }: Result): string | undefined {
  return code === 0 ? undefined : `\n${output}`
}
