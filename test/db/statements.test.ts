import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import type { Declared } from '../../src/db/statement.ts'

// Test files may share their modules, and batch.test.ts declares statements that fail. So everything is loaded anew.
vi.resetModules()
const { watchStatements } = await import('../../src/db/statement.ts')
const allStatements: Declared[] = []
watchStatements((declared) => allStatements.push(declared))
await import('../../src/index.ts')

const statements = allStatements.map(({ compiled }) => compiled())
const declared = new Set(allStatements.flatMap(({ parameters }) => parameters))

it.each(statements)('D1 can run $text', async ({ text, names }) => {
  const prepared = env.DB.prepare(`explain ${text}`).bind(...names.map(() => null))
  expect((await prepared.all()).results).not.toEqual([])
})

it('Some hundred statements were declared', () => {
  expect(statements.length).toBeGreaterThan(200)
})

// A statement may declare a group of parameters of which it uses some, so this is not checked for each one.
it('Some statement uses each parameter that is declared', () => {
  const used = new Set(statements.flatMap(({ names }) => names))
  expect([...declared].filter((name) => !used.has(name))).toEqual([])
})
