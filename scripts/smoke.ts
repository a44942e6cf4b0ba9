/**
 * `npm run smoke`: does what a newcomer does. In a copy of the project it starts the service as the README says, runs
 * every command of the pages below, and compares each response on the page with the real one.
 * `-- --update` writes the real responses into the pages, `-- --port N` uses another port.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'
import { openShell, type Shell } from './shell.ts'
import { type Command, commandsOf, compare, programsOf, unexpectedErrors, updated } from './smoke-pages.ts'

/** In this order, on one database. The README is first, so that even its ids must match. */
const PAGES = [
  'README.md',
  'docs/guide.md',
  'docs/integrators.md',
  'docs/events.md',
  'docs/operators.md',
  'docs/operations.md',
  'docs/import.md',
]
/** How long a program in the background may take to print. */
const PATIENCE_MS = 120_000
const TSC = 'node_modules/typescript/bin/tsc'
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0

const { values } = parseArgs({
  options: { update: { type: 'boolean' }, port: { type: 'string', default: '8797' } },
})
const project = copyProject()
const service = await startService(Number(values.port), project)
try {
  const printed = checkGreeting()
  for (const path of PAGES) await runPage(path)
  for (const command of printed) pastePrinted(command)
  assert.match(
    service.output(),
    /^20[01] (?:POST|PUT) \/v1\/stores\/:store_id\/\S+ \d+ ms d1=\d/m,
    'a line for each request',
  )
  assert.equal(await service.stop(), 0)
  await assert.rejects(fetch(`${service.origin}/health`), TypeError, 'the port is closed')
  console.log('smoke passed.')
} finally {
  await service.stop()
  rmSync(project, { recursive: true, force: true })
}

/** What a start prints must have at most 30 lines, and the README must show its lines and commands. Returns these. */
function checkGreeting(): string[] {
  const greeting = service.output().trim()
  assert.ok(greeting.split('\n').length <= 30, 'a newcomer reads at most 30 lines')
  const readme = readFileSync('README.md', 'utf8')
  for (const line of here(/```text\n([^]*?)```/.exec(readme)?.[1] ?? '').split('\n')) {
    assert.ok(line.includes('…') || greeting.includes(line), `the README says that a start prints: ${line}`)
  }
  const commands = greeting.match(/^curl (?:.*\\\n)*.*$/gm) ?? []
  assert.equal(commands.length, 3, 'one command for each of the three operations')
  const inReadme = new Set(commandsOf(here(readme)).map(({ text }) => plain(text)))
  for (const command of commands) assert.ok(inReadme.has(plain(command)), `not in the README: ${command}`)
  return commands
}

/** Removes what may differ between two spellings of one command. */
function plain(command: string): string {
  return command
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/Bearer [^'"]+/g, 'Bearer')
    .replaceAll('"', "'")
    .trim()
}

function here(text: string): string {
  return text
    .replaceAll('localhost:8787', `localhost:${values.port}`)
    .replaceAll(/\b9000\b/g, String(Number(values.port) + 1))
}

function there(text: string): string {
  return text
    .replaceAll(`localhost:${values.port}`, 'localhost:8787')
    .replaceAll(new RegExp(`\\b${Number(values.port) + 1}\\b`, 'g'), '9000')
}

async function runPage(path: string): Promise<void> {
  const start = performance.now()
  const page = readFileSync(path, 'utf8')
  const programs = programsOf(page)
  for (const [name, text] of programs) writeFileSync(join(project, name), here(text))
  compile([...programs.keys()].filter((name) => name.endsWith('.ts')))
  const shell = openShell(project)
  const options = { days: new Set<string>(), hasNumbers: path === PAGES[0] }
  const all = commandsOf(page)
  const commands = all.filter(({ needsPython }) => HAS_PYTHON || !needsPython)
  if (commands.length < all.length)
    console.log(`${path}: Python is not installed; ${all.length - commands.length} blocks skipped`)
  const differing: [Command, string][] = []
  try {
    for (const command of commands) {
      for (const [day] of command.text.matchAll(/\d{4}-\d\d-\d\d/g)) options.days.add(day)
      const status = await shell.paste(here(command.text))
      const { error, output } = await responseOf(shell, (response) => {
        compare(command, response, options)
        assert.deepEqual(unexpectedErrors(command, response), [], 'errors that the page does not mention')
        // An import of rows with mistakes does not exit with 0. Its output is on the page.
        assert.ok(status === 0 || command.shown.length > 0, `ended with ${status}`)
      })
      if (error === undefined) continue
      if (!values.update) throw new Error(`${path}:${command.line}\n${output}`, { cause: error })
      differing.push([command, output])
    }
  } finally {
    shell.close()
  }
  if (differing.length > 0) writeFileSync(path, differing.reduceRight(withResponse, page))
  console.log(`${path}: ${commands.length} blocks, ${Math.round((performance.now() - start) / 1000)} s`)
}

/** Compiles the programs with the options of a reader's strict project. */
function compile(programs: string[]): void {
  if (programs.length === 0) return
  const options = '--noEmit --strict --skipLibCheck --target es2024 --module nodenext --types node'
  // Here, the client is compiled with them from its sources, and without the tsconfig.json of the project.
  const argv = [TSC, ...options.split(' '), '--allowImportingTsExtensions', '--ignoreConfig']
  const { status, stdout } = spawnSync(process.execPath, [...argv, ...programs], { cwd: project, encoding: 'utf8' })
  assert.equal(status, 0, stdout)
}

/** Waits until the output matches, because background programs take time. Then returns it, with the error if it does not. */
async function responseOf(shell: Shell, check: (output: string) => void): Promise<{ output: string; error?: unknown }> {
  for (const end = performance.now() + (values.update ? 3000 : PATIENCE_MS); ;) {
    const output = there(shell.output())
    try {
      check(output)
      return { output }
    } catch (error) {
      if (performance.now() > end) return { output, error }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Returns the page unchanged if the response is in several blocks or shown in part: the writer must edit it. */
function withResponse(page: string, [{ shown, line }, output]: [Command, string]): string {
  const [only, ...more] = shown
  if (only && more.length === 0 && !/^…$/m.test(only.text)) return updated(page, only, output)
  console.log(`line ${line} does not match and is left unchanged:\n${output}`)
  return page
}

/** Runs a command that `npm run dev` printed. The pages have created its user before, so `email_taken` is correct too. */
function pastePrinted(command: string): void {
  const { stdout } = spawnSync('bash', ['-c', `${command} -s`], { encoding: 'utf8' })
  assert.ok(stdout.startsWith('HTTP/1.1 201 ') || stdout.includes('"email_taken"'), `${command}\n${stdout}`)
}
