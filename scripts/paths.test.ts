/** Pages and comments name files by their paths, and a file that is moved leaves them behind. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const ROOT = new URL('..', import.meta.url).pathname

/** A path in a string of code is the code's own affair: it may be a route, or a file that a test makes. */
const PATH = /(?<![\w./'-])(?:src|test|tools|packages|scripts|docs|drizzle)\/[\w./*-]*[\w/*]/g

/** They tell what was. */
const OF_EARLIER_RELEASES = ['CHANGELOG.md', 'tools/bench/results.md']

const files = globSync(['*.md', '{docs,drizzle,packages,scripts,src,test,tools}/**/*.{md,ts,tsx,js}'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**', ...OF_EARLIER_RELEASES],
})

/** A page in a folder may name what is beside it. */
function exists(path: string, file: string): boolean {
  const folder = file.split('/').slice(0, -1).join('/')
  return [ROOT, `${ROOT}${folder}`].some((cwd) => globSync(path, { cwd }).length > 0)
}

describe('pages and comments', () => {
  it('name only files and folders that there are', () => {
    const missing = files.flatMap((file) => {
      const named = new Set(readFileSync(`${ROOT}${file}`, 'utf8').match(PATH))
      return [...named].filter((path) => !exists(path, file)).map((path) => `${file}: ${path}`)
    })
    assert.deepEqual(missing, [])
  })

  it('about the tests name each sweep', () => {
    const page = readFileSync(`${ROOT}test/README.md`, 'utf8')
    const sweeps = globSync('*.test.ts', { cwd: `${ROOT}test/sweeps` })
    assert.deepEqual(
      sweeps.filter((name) => !page.includes(`| \`${name}\``)),
      [],
    )
  })
})
