import assert from 'node:assert/strict'
import { it } from 'node:test'
import './worker-modules.ts'
import { printSql } from './print-sql.ts'

const { declaredStatements } = await import('./declared-statements.ts')
await import('../src/index.ts')

it('Adds only white space, in every statement of the service', () => {
  const withoutSpace = (text: string) => text.replaceAll(/\s+/g, '')
  assert(declaredStatements.length > 100)
  for (const { compiled } of declaredStatements) {
    assert.equal(withoutSpace(printSql(compiled().text)), withoutSpace(compiled().text))
  }
})

it('Keeps a short statement on one line', () => {
  assert.equal(printSql("select id from users where name = 'a, (b'"), "select id from users where name = 'a, (b'")
})

it('Begins a line with each clause and condition of a long statement', () => {
  const name = 'a'.repeat(40)
  assert.equal(
    printSql(`select ${name} from ${name} where ${name} between 1 and 2 and (x = 1 or y = 2) and z = 3`),
    `select ${name}\nfrom ${name}\nwhere ${name} between 1 and 2\n  and (x = 1 or y = 2)\n  and z = 3`,
  )
})
