import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the packages of this folder's lock file, unless they are. Returns the folder that has them. */
export function installTools(): string {
  const folder = join(import.meta.dirname, '../../dist/document-tools')
  const lockFile = join(import.meta.dirname, 'package-lock.json')
  const installed = join(folder, 'installed.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lockFile, 'utf8')) return folder
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, name), join(folder, name))
  // No package may run a program of its own: none of these needs it.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
  // Last, so that an installation that was interrupted begins again.
  copyFileSync(lockFile, installed)
  return folder
}
