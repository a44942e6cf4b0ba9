/** Copies the project into a temporary folder without its local data: the result is like a fresh clone. */
import { cpSync, existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const LEFT_OUT = /^(?:\.git|\.wrangler|\.dev\.vars|\.secrets\..+|bench|node_modules|dist|coverage)$/
/** What build-console.ts makes. It builds again what is older than its sources. */
const CONSOLE = ['dist/assets/console', 'dist/console-sources.json']

/** With `withConsole`, the copy has the console that was built last: a build takes seconds, and few tests are about it. */
export function copyProject({ withConsole = false } = {}): string {
  const project = mkdtempSync(join(tmpdir(), 'registrar-'))
  const copy = (path: string) => cpSync(path, join(project, path), { recursive: true, preserveTimestamps: true })
  for (const name of readdirSync('.')) if (!LEFT_OUT.test(name)) copy(name)
  if (withConsole) CONSOLE.filter((path) => existsSync(path)).forEach(copy)
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  return project
}
