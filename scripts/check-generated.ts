/** Fails if a generated file is stale: env.d.ts, the migrations, the OpenAPI document, or a page of docs/. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { generatedFiles } from './generated-files.ts'
import { WRANGLER } from './wrangler.ts'

const stale: string[] = []

for (const [path, content] of Object.entries(await generatedFiles())) {
  const isUpToDate = existsSync(path) && readFileSync(path, 'utf8') === content
  if (!isUpToDate) stale.push(`${path}: run \`npm run generate:docs\``)
}

const types = ['types', 'src/env.d.ts', '--env-file=.dev.vars.example', '--strict-vars=false', '--check']
if (spawnSync(process.execPath, [WRANGLER, ...types]).status !== 0) {
  stale.push('src/env.d.ts: run `npm run generate:env`')
}

/** drizzle-kit reports a change only by writing a migration, so it writes into a copy. */
const copy = 'dist/drizzle-check'
rmSync(copy, { recursive: true, force: true })
cpSync('drizzle', copy, { recursive: true })
const generate = ['drizzle-kit', 'generate', '--dialect=sqlite', '--schema=src/db/schema.ts', `--out=${copy}`]
const { status } = spawnSync('npx', generate, { stdio: ['ignore', 'ignore', 'inherit'] })
if (status !== 0 || readdirSync(copy).length !== readdirSync('drizzle').length) {
  stale.push('drizzle/: run `npm run db:generate`')
}

if (stale.length > 0) {
  console.error(`Not up to date:\n${stale.join('\n')}`)
  process.exit(1)
}
console.log('Generated files are up to date.')
