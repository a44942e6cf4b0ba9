/** Rows that would create somebody are left out of a file that is only to update. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { commonFaults } from '../common-faults.ts'
import { Crash, csvOf, importText, type Kept } from './memory.ts'
import { type FakeService, startService } from './service.ts'

let service: FakeService

before(async () => {
  service = await startService()
})
afterEach(() => service.reset())
after(() => service.stop())

const HEADER = ['name', 'last_name', 'email']

function rowsOf(...emails: string[]): string {
  return csvOf(
    HEADER,
    emails.map((email) => ['New', 'Name', email]),
  )
}

describe('An import that only updates', () => {
  it('leaves out rows that would create somebody, and never sends them', async () => {
    await importText(service, csvOf(HEADER, [['Ana', 'Gil', 'ana@example.com']]))
    service.batches = []
    const file = rowsOf('new@example.com', 'ana@example.com', 'new@example.com', 'bad')
    const kept: Kept = { state: undefined, failed: '' }
    const state = await importText(service, file, { onExisting: 'update', only: 'update', kept })
    const { created, existing, failed, leftOut, firstLeftOut } = state
    assert.deepEqual([created, existing, failed, leftOut, firstLeftOut], [0, 1, 1, 2, 2])
    assert.deepEqual(
      service.users.map((user) => [user['email'], user['name']]),
      [['ana@example.com', 'New']],
    )
    const sent = service.batches.filter((batch) => !batch.dry_run).flatMap(({ items }) => items)
    assert.deepEqual(
      sent.map((item) => item['email']),
      ['ana@example.com'],
    )
    assert.doesNotMatch(kept.failed, /new@example/)
  })

  it('sends no row of which a dry run has failed', async () => {
    let failures = 0
    service.itemFault = ({ email }) => (email === 'new@example.com' && failures++ < 2 ? 429 : undefined)
    const options = { onExisting: 'update', only: 'update', itemPauseMs: 1 } as const
    const state = await importText(service, rowsOf('new@example.com'), options)
    assert.deepEqual([failures, state.created, state.leftOut, service.users.length], [3, 0, 1, 0])
  })

  it('predicts the same in a dry run', async () => {
    await importText(service, csvOf(HEADER, [['Ana', 'Gil', 'ana@example.com']]))
    const file = rowsOf('new@example.com', 'ana@example.com', 'new@example.com')
    const state = await importText(service, file, { onExisting: 'update', only: 'update', dryRun: true })
    assert.deepEqual([state.created, state.existing, state.changed, state.leftOut], [0, 1, 1, 2])
  })

  it('counts each row once after a crash at any write', async () => {
    const file = rowsOf('new@example.com', 'ana@example.com', 'new@example.com')
    for (let crashAfter = 0; ; crashAfter++) {
      service.reset()
      await importText(service, csvOf(HEADER, [['Ana', 'Gil', 'ana@example.com']]))
      const kept: Kept = { state: undefined, failed: '' }
      const options = { onExisting: 'update', only: 'update', kept } as const
      const crashed = await importText(service, file, { ...options, crashAfter }).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      const state = crashed ?? (await importText(service, file, options))
      assert.deepEqual([state.created, state.existing, state.leftOut, service.users.length], [0, 1, 2, 1])
      if (crashed) break
    }
  })
})

describe('What several rows have in common', () => {
  const unknown = { column: 'Curso', field: 'product', code: 'unknown_product', about: 'Ingles B1', explanation: '' }
  const missing = { column: 'email', field: 'email', code: 'missing_parameter', explanation: '' }

  it('is one fault with the number of its rows', () => {
    const common = commonFaults()
    common.add(3, [unknown])
    common.add(4, [unknown, unknown, missing])
    common.add(5, [missing])
    common.add(6, [{ ...unknown, about: 'Other' }])
    assert.deepEqual(common.list(), [{ reason: unknown, count: 2, line: 3 }])
    assert.deepEqual([common.coverAll([unknown]), common.coverAll([unknown, missing])], [true, false])
  })
})
