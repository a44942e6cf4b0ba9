/** Words of the documentation stand beside facts that the Worker needs (src/lib/prose.ts). Its bundle must not have them. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { rolldown } from 'rolldown'
import { USER_FIELDS } from '../src/db/schema/user-field-table.ts'
import { ERRORS } from '../src/error-codes.ts'

/** The module with its imports, as the bundler of the Worker (`workerd`) or another one resolves them. */
async function bundle(path: string, condition: string): Promise<string> {
  const input = join(import.meta.dirname, '..', path)
  const build = await rolldown({ input, resolve: { conditionNames: [condition, 'import'] }, logLevel: 'silent' })
  const { output } = await build.generate({ minify: true })
  return output.map((file) => ('code' in file ? file.code : '')).join('')
}

const TABLES = [
  { path: 'src/error-codes.ts', words: [ERRORS.missing_parameter.docs?.when, ERRORS.not_done.docs?.returnedBy?.[0]] },
  {
    path: 'src/db/schema/user-field-table.ts',
    words: [USER_FIELDS.avatar.docs?.asks, USER_FIELDS.phone.docs?.example],
  },
]

for (const { path, words } of TABLES) {
  it(`${path} has no words of the documentation in the Worker`, async () => {
    const [worker, other] = await Promise.all([bundle(path, 'workerd'), bundle(path, 'default')])
    for (const word of words) {
      assert.ok(word !== undefined && other.includes(word), `${word} is elsewhere`)
      assert.ok(!worker.includes(word), word)
    }
  })
}
