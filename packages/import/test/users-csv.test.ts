/**
 * The import must know every column of users.csv and restore every value but what reading takes off, or an export could not
 * be imported; and what it takes off must count as no change.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { toUserCells } from '../../../src/modules/csv-files/admin-routes.ts'
import { PLAIN_FIELDS } from '../../../src/modules/users/user-fields.ts'
import { ofEach } from '../../../src/lib/names.ts'
import { USER_COLUMNS } from '../../../src/modules/users/csv-columns.ts'
import { csvLine } from '../../../src/modules/csv-files/csv.ts'
import { cleanText } from '../clean-text.ts'
import { columnsOf, type Item } from '../columns.ts'
import { CUSTOM_FIELD } from '../fields.ts'
import { openFile } from '../read.ts'

const FIELDS = ['rank', 'a.b', '__proto__']

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('"', 'a,b', 'x\r\ny', '\n', ' x ', ';', '\t', '=1', '\ufeffx', '7', 'null', '{"a":1}'),
)
const optional = fc.option(text, { nil: null })
/** As a phone or an external id, `null` is what a program has made of a missing value, and an error of its row. */
const number = fc.option(
  text.filter((value) => value !== 'null'),
  { nil: null },
)
const customFields = fc.dictionary(
  fc.constantFrom(...FIELDS, 'other', 'field1'),
  fc.oneof(text, fc.constant(''), fc.boolean(), fc.integer(), fc.constant(null)),
  { noNullPrototype: true },
)

const user = fc.record({
  ...ofEach(PLAIN_FIELDS, (field) => (field === 'phone' || field === 'external_id' ? number : optional)),
  name: text,
  last_name: text,
  email: fc.constantFrom('ana@example.com', '+o@example.com', "O'NEIL@example.com"),
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
      const items: Item[] = []
      for await (const row of opened.rows) items.push(columns.toItem(row))
      assert.equal(items.length, users.length)
      for (const [i, { item, reasons }] of items.entries()) {
        assert.deepEqual(reasons, [])
        const [read, stored] = [flat(item), flat(users[i] ?? {})]
        for (const [field, value] of stored) {
          const isNothing = typeof value === 'string' && cleanText(field, value) === ''
          if (!read.has(field) && (isNothing || value === null)) continue
          assert.ok(columns.isSame(field, value, read.get(field)), `${field}: ${JSON.stringify(value)}`)
        }
        for (const field of read.keys()) assert.ok(stored.has(field), field)
      }
    }),
    { numRuns: 200 },
  )
})

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** The custom fields come one by one. */
function flat({ custom_fields, ...fields }: Record<string, unknown>): Map<string, unknown> {
  const custom = Object.entries(Object(custom_fields)).map(([key, value]) => [CUSTOM_FIELD + key, value] as const)
  return new Map([...Object.entries(fields), ...custom])
}
