/**
 * Fetches the files of Scalar's API reference that `/docs` serves. As a dependency, the package would install 266 packages and
 * 296 MB, of which a browser loads nothing: its build has all that it needs. So this takes the one tarball, checked by its
 * hash, after each installation (it is JavaScript, because then the machine's own Node runs it).
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const PACKAGE = '@scalar/api-reference@1.76.0'
/** Of the tarball, as npm's own lock file writes it. */
const SHA512 = 'pjqwnzmA9YK3ZX+IZSICMsywm4qI6HLSngR2py9H6TvFApHHuJjkTAd+gFJfnqJDzJuro8k7ji6JCtJ2U+Byng=='

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'node_modules/.reference', PACKAGE.replace('/', '-'))

/** The folder with `standalone.esm.js` and `chunks/`. Fetches it if it is missing; throws if it cannot be fetched. */
export function referenceFolder() {
  if (!existsSync(target)) fetchReference()
  return target
}

/** The folder gets its name once it is complete: an interrupted installation leaves nothing that looks whole. */
function fetchReference() {
  mkdirSync(dirname(target), { recursive: true })
  const folder = mkdtempSync(join(dirname(target), 'incomplete-'))
  try {
    const file = join(
      folder,
      run('npm', ['pack', PACKAGE, '--silent', '--ignore-scripts', `--pack-destination=${folder}`]),
    )
    if (createHash('sha512').update(readFileSync(file)).digest('base64') !== SHA512)
      throw new Error(`The tarball of ${PACKAGE} does not have the expected hash.`)
    run('tar', [
      '-xzf',
      file,
      '-C',
      folder,
      '--exclude=*.map',
      ...['standalone.esm.js', 'chunks'].map((name) => `package/dist/browser/${name}`),
    ])
    renameSync(join(folder, 'package/dist/browser'), target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the last line that the command prints. */
function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${PACKAGE} could not be fetched by ${command}: ${error?.message ?? stderr}`)
  return stdout.trim().split('\n').at(-1) ?? ''
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) referenceFolder()
