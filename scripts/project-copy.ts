/** Copies the project into a temporary folder without its local data: the result is like a fresh clone. */
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const LEFT_OUT = /^(?:\.git|\.wrangler|\.dev\.vars|\.secrets\..+|bench|node_modules|dist|coverage)$/

export function copyProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'registrar-'))
  for (const name of readdirSync('.')) {
    if (!LEFT_OUT.test(name)) cpSync(name, join(project, name), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  return project
}
