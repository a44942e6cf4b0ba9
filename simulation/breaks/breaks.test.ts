import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { BREAKS } from './breaks.ts'

for (const { name, file, from } of BREAKS) {
  it(`finds the text of the break "${name}" in ${file}`, () => {
    const source = readFileSync(join(import.meta.dirname, '..', '..', 'src', file), 'utf8')
    assert.equal(source.split(from).length - 1, 1, `this text must occur exactly once: ${from}`)
  })
}
