/** Exports of accesses that somebody has edited, or that are those of another store. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { ACCESS_COLUMNS, SPREADSHEET_ACCESS_COLUMNS } from '../../../src/modules/accesses/csv-columns.ts'
import { valueText } from '../changes.ts'
import { guessColumns } from '../headings.ts'
import { fill, importFile } from './circle.ts'
import { csvOf } from './memory.ts'
import { type FakeService, startService } from './service.ts'

let service: FakeService
before(async () => {
  service = await startService()
})
beforeEach(() => fill(service, 'UTC'))
after(() => service.stop())

type Cells = Record<string, unknown>

/** The first access as the cells of an export, with other values in some of them. */
function accessRow(changes: Cells): Cells {
  const [access = {}] = service.accesses
  const { user, product, ...fields } = access
  const [person, course] = [Object(user), Object(product)]
  return {
    ...fields,
    product_id: course.id,
    product_slug: course.slug,
    user_id: person.id,
    user_email: person.email,
    user_name: `${person.name} ${person.last_name}`,
    ...changes,
  }
}

function fileOf(columns: readonly string[], ...rows: Cells[]): string {
  return csvOf(
    [...columns],
    rows.map((row) => columns.map((name) => valueText(row[name]))),
  )
}

const codes = (failed: { reasons: { column: string; code?: string }[] }[]) =>
  failed.map(({ reasons }) => reasons.map(({ column, code }) => `${column} ${code}`).join())

describe('An export of accesses', () => {
  for (const columns of [ACCESS_COLUMNS, SPREADSHEET_ACCESS_COLUMNS])
    it(`with ${columns.length} columns changes the status and the due date, and nothing else`, async () => {
      const row = accessRow({
        status: 'without_access',
        access_due_date: '2028-05-31',
        progress: 90,
        grade: 7,
        user_name: 'Somebody Else',
      })
      const { state, changes } = await importFile(service, fileOf(columns, row), { zone: 'UTC' })
      assert.deepEqual([state.existing, state.effects.closed, state.effects.later], [1, 1, 1])
      assert.deepEqual(
        changes.flatMap((change) => change.changes),
        [],
      )
      const [access = {}] = service.accesses
      assert.deepEqual([access['status'], access['access_due_date']], ['without_access', '2028-05-31T23:59:59.999Z'])
      assert.equal(service.users[0]?.['name'], 'Ana')
    })

  it('with ids changes nothing unless the access, its user and its product agree', async () => {
    const [one, two] = service.users.map((user) => user['id'])
    const rows = [
      accessRow({ user_id: two, status: 'without_access' }),
      accessRow({ id: '999', status: 'without_access' }),
      accessRow({ product_id: '2', status: 'without_access' }),
      accessRow({ user_id: 'x', status: 'without_access' }),
      accessRow({ user_id: one, status: 'closed for good', access_due_date: '31/31/2027' }),
    ]
    const { failed } = await importFile(service, fileOf(ACCESS_COLUMNS, ...rows), { zone: 'UTC' })
    const unknown = 'id unknown_access'
    assert.deepEqual(codes(failed), [
      unknown,
      unknown,
      unknown,
      unknown,
      'access_due_date unclear_date,status invalid_parameter',
    ])
    assert.ok(service.accesses.every((access, i) => i === 5 || i === 4 || access['status'] === 'with_access'))
  })

  it('creates a person with the name in it, if that can be split', async () => {
    const rows = [
      accessRow({ user_email: 'new@example.com', user_name: 'Eva Sol Luz' }),
      accessRow({ user_email: 'none@example.com', user_name: 'Sol, Luz, Paz' }),
    ]
    const { state, failed } = await importFile(service, fileOf(SPREADSHEET_ACCESS_COLUMNS, ...rows), { zone: 'UTC' })
    assert.deepEqual([state.created, codes(failed)], [1, ['user_name whole_name']])
    const created = service.users.find((user) => user['email'] === 'new@example.com')
    assert.deepEqual([created?.['name'], created?.['last_name']], ['Eva', 'Sol Luz'])
    assert.equal(
      service.users.some((user) => user['email'] === 'none@example.com'),
      false,
    )
  })

  it('has no column for a custom field whose key is that of a field of an access', () => {
    const columns = ['grade', 'progress', 'passed'].map((key) => ({ key, label: null }))
    const { fields } = guessColumns([...SPREADSHEET_ACCESS_COLUMNS], 'csv', columns)
    assert.deepEqual(
      Object.entries(fields).filter(([, field]) => field !== ''),
      [
        ['access_due_date', 'product_due_date'],
        ['status', 'product_status'],
        ['product_slug', 'product'],
        ['user_email', 'email'],
        ['user_name', 'full_name'],
      ],
    )
  })
})
