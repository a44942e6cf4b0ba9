import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { format } from 'oxfmt'
import { applyBreak } from './apply.ts'
import type { Change } from './break.ts'
import { BREAKS } from './breaks.ts'
import { isNameOfProperty, localNamesOf, rename } from './local-names.ts'
import { fieldsOf, isNode, nameOf, nodesOf, parse } from './syntax.ts'

const toOther = (name: string) => `${name}Renamed`

for (const each of BREAKS) {
  const source = readFileSync(join(import.meta.dirname, '..', '..', '..', 'src', each.file), 'utf8')

  describe(`The break "${each.name}"`, () => {
    it(`applies to ${each.file}, and uses nothing that is not there`, () => {
      const broken = applyBreak(source, each)
      assert.notDeepEqual(toTree(broken), toTree(source))
      const known = new Set([...usedIn(source), ...localNamesOf(broken)])
      const unknown = usedIn(broken).filter((name) => !known.has(name) && !(name in globalThis))
      assert.deepEqual(unknown, [])
    })

    it('applies in the same way if every local variable has another name and the file is formatted otherwise', async () => {
      const names = localNamesOf(source)
      const { code } = await format(each.file, rename(source, names, toOther), { printWidth: 40, semi: true })
      assert.deepEqual(toTree(applyBreak(code, each)), toTree(rename(applyBreak(source, each), names, toOther)))
    })
  })
}

describe('applyBreak', () => {
  const apply = (source: string, change: Change) => applyBreak(source, { file: 'a.ts', change })

  it('drops an argument, an element, a property, a statement and a part of a text', () => {
    assert.equal(apply('f(a, b(1), c)', { drop: 'b(_)' }), 'f(a, c)')
    assert.equal(apply('x = [a, b(1)]', { drop: 'b(_)' }), 'x = [a]')
    assert.equal(apply('x = {a: 1,}', { drop: 'a: _' }), 'x = {}')
    assert.equal(apply('a()\nb(1)\nc()', { drop: 'b(_)' }), 'a()\n\nc()')
    assert.equal(apply('sql`a and ${b} and c`', { drop: '`${_} and `' }), 'sql`a and c`')
  })

  it('keeps what the pattern has a name for', () => {
    assert.equal(
      apply('f(a + b, c, d)', { replace: 'f($first, ...$others)', by: 'g(...$others, $first)' }),
      'g(c, d, (a + b))',
    )
    assert.equal(apply('a(x)\nb(x)', { replace: 'a($x); b($x)', by: 'b($x)' }), 'b(x)')
    assert.equal(apply('sql`${a}  =\n${b}`', { replace: '`${$a} = ${$b}`', by: '`${$b} < ${$a}`' }), 'sql`${b} < ${a}`')
  })

  it('looks only into the declaration that it names', () => {
    const source = 'function a() { return f(1) }\nclass B { a2() { return f(2) } }'
    assert.equal(apply(source, { in: 'a2', replace: 'f(_)', by: 'g()' }), source.replace('f(2)', 'g()'))
    assert.throws(() => apply(source, { in: 'c', drop: 'f(_)' }), /c is declared 0 times/)
  })

  it('throws unless there is one place', () => {
    assert.throws(() => apply('f(1)', { drop: 'g(_)' }), /a\.ts has 0 times, not once: g\(_\)/)
    assert.throws(() => apply('f(1)\nf(2)', { drop: 'f(_)' }), /a\.ts has 2 times, not once: f\(_\)/)
    assert.throws(() => apply('a(x)\nb(y)', { replace: 'a($x); b($x)', by: '$x' }), /has 0 times/)
  })
})

function usedIn(source: string): string[] {
  const nodes = [...nodesOf(parse(source))].filter(({ node, parent }) => !isNameOfProperty(node, parent))
  return nodes.flatMap(({ node }) => (node.type === 'Identifier' ? (nameOf(node) ?? []) : []))
}

/** Equal for two sources that differ in their format only. */
function toTree(source: string): unknown {
  const toPlain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(toPlain)
    return isNode(value) ? fieldsOf(value).map(([name, field]) => [name, toPlain(field)]) : value
  }
  return toPlain(parse(source))
}
