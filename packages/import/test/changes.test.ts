import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { beforeTable } from '../before.ts'
import { type Change, changesOf, nameChange } from '../changes.ts'
import { csvOf, importText } from './memory.ts'
import { type FakeService, startService, STORE_TOKEN } from './service.ts'

let service: FakeService
before(async () => {
  service = await startService()
})
after(() => service.stop())

const HEADER = ['name', 'last_name', 'email', 'phone', 'custom_fields.team']
const YOLANDA = ['Yolanda', 'Quispe', 'y@example.com', '600', 'red']
const SAME = ['Ana', 'Gil', 'ana@example.com', '', '']

describe('An update', () => {
  beforeEach(async () => {
    service.reset()
    await importText(service, csvOf(HEADER, [YOLANDA, SAME]))
  })

  /** Returns the changes that the keeper gets, each with the state of the user in the service at that time. */
  async function update(rows: string[][], dryRun: boolean) {
    const kept: (Change & { stored: unknown })[] = []
    const state = await importText(service, csvOf(HEADER, rows), {
      onExisting: 'update',
      dryRun,
      async keepChanges(changes) {
        for (const change of changes) kept.push({ ...change, stored: service.users[0]?.['name'] })
        return changes
      },
    })
    return { kept, state }
  }

  const ROWS = [['Aránzazu', 'Sempere', 'Y@example.com', '', '7'], SAME, ['New', 'One', 'new@example.com', '', '']]

  for (const dryRun of [true, false])
    it(`reads the users that it changes before it does, and counts them apart, ${dryRun ? 'dry' : 'really'}`, async () => {
      const { kept, state } = await update(ROWS, dryRun)
      assert.deepEqual([state.created, state.existing, state.changed], [1, 2, 1])
      assert.deepEqual(
        kept.map(({ line, before, stored }) => [line, before['name'], before['phone'], stored]),
        [[2, 'Yolanda', '600', 'Yolanda']],
      )
      assert.deepEqual(kept[0]?.changes, [
        { field: 'name', from: 'Yolanda', to: 'Aránzazu' },
        { field: 'last_name', from: 'Quispe', to: 'Sempere' },
        { field: 'custom_fields.team', from: 'red', to: '7' },
      ])
      assert.deepEqual(kept[0] && nameChange(kept[0]), { from: 'Yolanda Quispe', to: 'Aránzazu Sempere' })
      const rows = beforeTable(HEADER, {}).rowsOf([...kept, ...kept])
      assert.deepEqual(
        rows.map(({ line, cells }) => [line, cells.map(({ text }) => text)]),
        [[2, YOLANDA]],
      )
    })

  it('stores the emails of new people in lower case, and leaves the letter case of those that are stored', async () => {
    service.reset()
    const stored = { name: 'Ana', last_name: 'Gil', email: 'Ana.Gil@Example.com' }
    await fetch(`${service.url}/v1/stores/demo/users/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${STORE_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ items: [stored] }),
    })
    const { kept, state } = await update([['Ana', 'Gil', 'ANA.GIL@EXAMPLE.COM', '', '']], false)
    assert.deepEqual([kept, state.existing, state.changed], [[], 1, 0])
    await update([['Eva', 'Sol', 'EVA@EXAMPLE.COM', '', '']], false)
    await importText(service, '{"name":"Ivo","last_name":"Sol","email":"IVO@Example.com"}\n')
    assert.deepEqual(
      service.users.map(({ email }) => email),
      [stored.email, 'eva@example.com', 'ivo@example.com'],
    )
  })

  it('does not count a user whom it has changed as created, if the response is lost and the batch is sent again', async () => {
    let isLost = false
    service.fault = ({ dry_run }) => {
      if (dry_run || isLost) return undefined
      isLost = true
      return 'lost'
    }
    const { state } = await update(ROWS.slice(0, 1), false)
    assert.deepEqual([isLost, state.created, state.existing, state.changed], [true, 0, 1, 1])
  })

  for (const dryRun of [true, false])
    it(`counts a repeated person as changed if the row changes what the earlier one left, ${dryRun ? 'dry' : 'really'}`, async () => {
      const repeated = [
        ['New', 'One', 'NEW@example.com', '600', ''],
        ['Newer', 'One', 'new@example.com', '', '7'],
        ['Newer', 'One', 'new@example.com', '600', '7'],
        ['Yolanda', 'Sempere', 'Y@example.com', '', ''],
        ['Yolanda', 'Sempere', 'Y@example.com', '600', '7'],
      ]
      const { kept, state } = await update([...ROWS, ...repeated], dryRun)
      assert.deepEqual(
        kept.map(({ line, changes, repeats }) => [
          line,
          repeats,
          changes.map(({ field, from, to }) => `${field}: ${from} → ${to}`),
        ]),
        [
          [2, undefined, ['name: Yolanda → Aránzazu', 'last_name: Quispe → Sempere', 'custom_fields.team: red → 7']],
          [5, 4, ['phone:  → 600']],
          [6, 4, ['name: New → Newer', 'custom_fields.team:  → 7']],
          [8, 2, ['name: Aránzazu → Yolanda']],
        ],
      )
      assert.deepEqual([state.created, state.existing, state.changed, state.failed], [1, 7, 4, 0])
    })
})

describe('The changes of a user', () => {
  it('leave out what stays, what the row omits, and accesses', () => {
    const user = { name: 'A', country: 'ES', custom_fields: { a: 1, b: 'x' } }
    const item = { name: 'A', phone: null, country: 'es', custom_fields: { a: 1 }, product_accesses: [{ slug: 'x' }] }
    assert.deepEqual(changesOf(item, user), [])
  })

  it('have a password without its value', () => {
    assert.deepEqual(changesOf({ password: 'secret' }, {}), [{ field: 'password', from: '', to: '' }])
  })
})
