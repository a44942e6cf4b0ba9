/** The import must know every column of users.csv and restore every value, or an export could not be imported. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { toUserCells } from '../../../src/modules/csv-files/admin-routes.ts'
import { PLAIN_FIELDS } from '../../../src/modules/users/user-fields.ts'
import { ofEach } from '../../../src/lib/names.ts'
import { USER_COLUMNS } from '../../../src/modules/users/csv-columns.ts'
import { csvLine } from '../../../src/modules/csv-files/csv.ts'
import { columnsOf } from '../columns.ts'
import { openFile } from '../read.ts'

const FIELDS = ['rank', 'a.b', '__proto__']

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('"', 'a,b', 'x\r\ny', '\n', ' x ', ';', '\t', '=1', '\ufeffx', '7', 'null', '{"a":1}'),
)
const optional = fc.option(text, { nil: null })
const customFields = fc.dictionary(
  fc.constantFrom(...FIELDS, 'other', 'field1'),
  fc.oneof(text, fc.constant(''), fc.boolean(), fc.integer(), fc.constant(null)),
  { noNullPrototype: true },
)

const user = fc.record({
  ...ofEach(PLAIN_FIELDS, () => optional),
  name: text,
  last_name: text,
  email: text,
  country: fc.constantFrom('ES', null),
  language: fc.constantFrom('EN', 'PT'),
  custom_fields: customFields,
})

/** Returns the row of the user as D1 stores it. */
function rowOf({ custom_fields, ...fields }: typeof user extends fc.Arbitrary<infer User> ? User : never) {
  const id = 2 ** 32 + 7
  const folded = { email_key: '', name_folded: '', last_name_folded: '', email_folded: null, phone_digits: null }
  const own = { id, store: 1, ...folded, role: 'student', password_hash: null, event_id: id }
  const custom = Object.keys(custom_fields).length > 0 ? JSON.stringify(custom_fields) : null
  return { ...own, ...fields, custom_fields: custom, created_at: 0, updated_at: 0 }
}

it('the import restores every user of a users.csv', async () => {
  const header = [...USER_COLUMNS, ...FIELDS.map((key) => `custom_fields.${key}`), 'custom_fields']
  await fc.assert(
    fc.asyncProperty(fc.array(user, { minLength: 1, maxLength: 5 }), async (users) => {
      const lines = [header, ...users.map((one) => toUserCells(rowOf(one), FIELDS))].map((cells) => csvLine(cells))
      const bytes = new TextEncoder().encode(lines.join(''))
      const opened = await openFile({ size: bytes.length, open: () => streamOf(bytes) })
      const columns = columnsOf(opened)
      const items: unknown[] = []
      for await (const row of opened.rows) items.push(columns.toItem(row))
      assert.deepEqual(JSON.parse(JSON.stringify(items)), JSON.parse(JSON.stringify(users.map(itemOf))))
    }),
    { numRuns: 200 },
  )
})

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Returns what the import sends; fields without a value are omitted. */
function itemOf({ custom_fields, ...fields }: Record<string, unknown>): object {
  const filled = Object.entries(fields).filter(([, value]) => value !== null)
  const custom = Object.keys(Object(custom_fields)).length > 0 ? { custom_fields } : {}
  return { item: { ...Object.fromEntries(filled), ...custom }, reasons: [] }
}
