/** An update compares accesses before it changes them, and leaves alone what the file only writes in another way. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Change } from '../changes.ts'
import { beforeTable } from '../before.ts'
import { csvOf, importText } from './memory.ts'
import { type FakeService, startService } from './service.ts'

let service: FakeService
before(async () => {
  service = await startService()
})
after(() => service.stop())

const HEADER = ['name', 'last_name', 'email', 'product', 'product_status', 'product_due_date']
const ana = (...accesses: string[]) => ['Ana', 'Gil', 'ana@example.com', ...accesses]
const luis = (...accesses: string[]) => ['Luis', 'Sol', 'luis@example.com', ...accesses]

describe('An update of accesses', () => {
  beforeEach(async () => {
    service.reset()
    service.scopes = [...service.scopes, 'product_accesses:read', 'product_accesses:write']
    await importText(service, csvOf(HEADER, [ana('engines', '', '2027-12-31T12:00:00Z'), luis('engines', '', 'none')]))
  })

  async function update(rows: string[][], options: { dryRun?: boolean; neverShorten?: boolean } = {}) {
    const kept: Change[] = []
    const state = await importText(service, csvOf(HEADER, rows), {
      onExisting: 'update',
      ...options,
      async keepChanges(changes) {
        kept.push(...changes)
        return changes
      },
    })
    const effects = kept.flatMap(({ line, accesses = [] }) =>
      accesses.map(({ product, effects: found, from, to }) => [line, product, found.join(), from?.due, to.due]),
    )
    return { state, effects, kept }
  }

  const dues = () => service.accesses.map((access) => access['access_due_date'])

  for (const dryRun of [true, false])
    it(`says what it does before it does it, ${dryRun ? 'dry' : 'really'}`, async () => {
      const { state, effects } = await update(
        [
          ana('engines', 'without_access', '2026-12-31T12:00:00Z'),
          luis('engines|logic', '', '2028-01-01T00:00:00Z'),
          ana('engines', 'with_access', 'none'),
        ],
        { dryRun },
      )
      assert.deepEqual(effects, [
        [2, 'engines', 'closed,earlier', '2027-12-31T12:00:00.000Z', '2026-12-31T12:00:00.000Z'],
        [3, 'engines', 'earlier', null, '2028-01-01T00:00:00.000Z'],
        [3, 'logic', 'granted', undefined, '2028-01-01T00:00:00.000Z'],
        [4, 'engines', 'opened,later', '2026-12-31T12:00:00.000Z', null],
      ])
      assert.deepEqual(state.effects, { earlier: 2, closed: 1, granted: 1, opened: 1, later: 1 })
      assert.deepEqual([state.existing, state.changed, state.uncompared], [3, 3, 0])
      const ends = [null, '2028-01-01T00:00:00.000Z', '2028-01-01T00:00:00.000Z']
      assert.deepEqual(dues(), dryRun ? ['2027-12-31T12:00:00.000Z', null] : ends)
    })

  it('calls no row unchanged whose accesses it may not read', async () => {
    service.scopes = service.scopes.filter((scope) => scope !== 'product_accesses:read')
    const { state, effects } = await update([ana('engines', 'without_access', ''), luis('', '', '')], { dryRun: true })
    assert.deepEqual([effects, state.existing, state.changed, state.uncompared], [[], 2, 0, 1])
  })

  it('shortens none with never_shorten, and says so to the service', async () => {
    const { state } = await update([ana('engines', '', '2026-12-31T12:00:00Z')], { dryRun: true, neverShorten: true })
    assert.deepEqual([state.changed, state.effects.earlier], [0, 0])
    assert.equal(service.batches.at(-1)?.never_shorten, true)
  })

  it('writes the accesses as they were, so that the file sets them again', async () => {
    const changed = [ana('engines|logic', 'without_access|', '2026-12-31T12:00:00Z'), ana('engines', 'with_access', '')]
    const { kept } = await update(changed)
    const rows = beforeTable(HEADER, {}, { zone: 'UTC', grantsProducts: true })
      .rowsOf(kept)
      .map(({ cells }) => cells.map(({ text }) => text))
    const old = ana('engines|logic', 'with_access|without_access', '2027-12-31T12:00:00.000Z|')
    assert.deepEqual(rows, [old])
    await update(rows)
    assert.deepEqual(
      service.accesses
        .filter(({ user }) => JSON.stringify(user).includes('ana@'))
        .map((access) => [access['status'], access['access_due_date']]),
      [
        ['with_access', '2027-12-31T12:00:00.000Z'],
        ['without_access', '2026-12-31T12:00:00.000Z'],
      ],
    )
  })
})
