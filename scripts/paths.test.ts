/** Pages and comments name files by their paths, and a file that is moved leaves them behind. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { anchorOf } from './docs-pages.ts'

const ROOT = join(import.meta.dirname, '..')

/** A path in a string of code is the code's own affair: it may be a route, or a file that a test makes. */
const PATH = /(?<![\w./'-])(?:src|test|tools|packages|scripts|docs|drizzle)\/[\w./*-]*[\w/*]/g

/** They tell what was. */
const OF_EARLIER_RELEASES = new Set(['CHANGELOG.md', 'tools/bench/results.md'])

const SETTINGS = ['package.json', 'wrangler.toml', '.dev.vars.example', '.ci/run', '.github/workflows/*.yml']
const files = globSync(
  ['*.md', ...SETTINGS, '{docs,drizzle,findings,packages,scripts,src,test,tools}/**/*.{md,ts,tsx,js,sh}'],
  { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] },
)
const currentFiles = files.filter((file) => !OF_EARLIER_RELEASES.has(file))
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** A page in a folder may name what is beside it. */
function exists(path: string, file: string): boolean {
  return [ROOT, join(ROOT, dirname(file))].some((cwd) => globSync(path, { cwd }).length > 0)
}

/** The targets of the links of a page, without what only looks like one in a block or a piece of code. */
function linksIn(page: string): string[] {
  const prose = page.replaceAll(/^( *)```[^]*?^\1```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((to) => !/^\w+:/.test(to))
}

function anchorsIn(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

function leads(link: string, file: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : join(dirname(file), path)
  return existsSync(join(ROOT, target)) && (anchor === undefined || anchorsIn(read(target)).includes(anchor))
}

describe('pages and comments', () => {
  it('name only files and folders that there are', () => {
    const missing = currentFiles.flatMap((file) => {
      const named = new Set(read(file).match(PATH))
      return [...named].filter((path) => !exists(path, file)).map((path) => `${file}: ${path}`)
    })
    assert.deepEqual(missing, [])
  })

  it('have links to pages and headings that there are', () => {
    const pages = files.filter((file) => file.endsWith('.md'))
    const links = pages.flatMap((file) => linksIn(read(file)).map((link) => ({ file, link })))
    assert.ok(links.length > 100)
    assert.deepEqual(
      links.filter(({ file, link }) => !leads(link, file)),
      [],
    )
  })

  it('name only commands that npm has', () => {
    const { scripts }: { scripts: object } = JSON.parse(read('package.json'))
    const missing = currentFiles.flatMap((file) => {
      const named = [...read(file).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name)
      return named.filter((name) => !(name in scripts)).map((name) => `${file}: npm run ${name}`)
    })
    assert.deepEqual(missing, [])
  })

  it('about the tests name each sweep', () => {
    const page = read('test/README.md')
    const sweeps = globSync('*.test.ts', { cwd: join(ROOT, 'test/sweeps') })
    assert.deepEqual(
      sweeps.filter((name) => !page.includes(`| \`${name}\``)),
      [],
    )
  })
})
