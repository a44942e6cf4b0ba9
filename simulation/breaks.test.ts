import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { BREAKS } from './breaks.ts'

for (const { name, file, from } of BREAKS) {
  it(`the break "${name}" has its place in ${file}`, () => {
    const source = readFileSync(join(import.meta.dirname, '..', 'src', file), 'utf8')
    assert.equal(source.split(from).length - 1, 1, `stands there once: ${from}`)
  })
}
