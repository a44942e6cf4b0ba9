/** Takes imports back that were killed, or of which somebody has changed something between two attempts. */
import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { mergedChanges } from '../merged-changes.ts'
import { csvOf } from './memory.ts'
import { HEADER, isBatch, killAt, peopleOf, WITH_ACCESSES } from './undo-people.ts'
import { type Fixture, idOf, openStage, secretOf, type Stage } from './undo-service.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
afterEach(() => stage.setHook(undefined))
after(() => stage.stop())

const UPDATE = ['--on-existing', 'update', '--rename']
const target = ({ store }: Fixture) => ['--store', store, '--url', stage.url]
const NEW1 = ['New', 'One', 'new1@example.com', '1', 'es', 'red', 'algebra', '', '']
const NEW2 = ['New', 'Two', 'new2@example.com', '', '', '', '', '', '']
const NEW3 = ['New', 'Three', 'new3@example.com', '', '', '', '', '', '']
const ANA = ['Anna', 'Gil', 'ana@example.com', '700', 'fr', '"7"', 'algebra|logic', '', '']

async function importRows(fixture: Fixture, rows: string[][]): Promise<string> {
  const path = fixture.write('people.csv', csvOf(WITH_ACCESSES, rows))
  const { code, stdout, stderr } = await fixture.run([path, ...target(fixture), ...UPDATE])
  assert.equal(code, 0, stdout + stderr)
  return `${path}.state`
}

async function idsOf({ list }: Fixture): Promise<Map<unknown, string>> {
  return new Map((await list('/users')).map((user) => [user['email'], idOf(user)]))
}

const stateOf = (fixture: Fixture, email: string) => fixture.snapshot().then((found) => JSON.stringify(found[email]))

describe('The undo of an import that was killed', () => {
  it('erases nobody who has got an access since, and is not stopped by a row that the service has rejected', async () => {
    const fixture = await peopleOf(stage)
    const rows = [NEW1, ['Emmy', 'Noether', 'emmy@example', '', '', ''], NEW2].map((row) => row.slice(0, 6))
    const path = fixture.write('people.csv', csvOf(HEADER, rows))
    await killAt(stage, fixture, [path, ...target(fixture)], { isRequest: isBatch, isCarriedOut: true })
    const user_id = (await idsOf(fixture)).get('new1@example.com')
    await fixture.api('POST', '/product_accesses', { user_id, slug: 'logic' })
    const { code, stdout, stderr } = await fixture.run(['--undo', `${path}.state`])
    assert.match(stdout, /^Erased 1, .* staying 1\.\nNew One, row 2: the person stays: somebody has granted/, stderr)
    assert.equal(code, 1)
    assert.match(await stateOf(fixture, 'new1@example.com'), /"logic":"with_access/)
  })

  it('erases whom an earlier batch created and the last one changed, whatever else is killed', async () => {
    const fixture = await peopleOf(stage)
    const first = await fixture.snapshot()
    const again = ['New', 'Uno', 'new1@example.com', '5', '', '', 'logic', '', '']
    const path = fixture.write('people.csv', csvOf(WITH_ACCESSES, [NEW1, again]))
    // Each batch of an update begins with a dry run.
    const second = { isRequest: isBatch, nth: 4, isCarriedOut: true }
    assert.equal((await killAt(stage, fixture, [path, ...target(fixture), ...UPDATE], second)).isKilled, true)
    appendFileSync(`${path}.state`, '{"first":1,"crea')
    const erasure = { isRequest: ({ method }: { method: string }) => method === 'DELETE', isCarriedOut: false }
    assert.equal((await killAt(stage, fixture, ['--undo', `${path}.state`], erasure)).isKilled, true)
    const { code, stdout, stderr } = await fixture.run(['--undo', `${path}.state`])
    assert.match(stdout, /^Erased 1, .* staying 0\./, stderr)
    assert.deepEqual([code, await fixture.snapshot()], [0, first])
  })

  it('erases nobody whom others have registered since, and puts back an access whose limit was still there', async () => {
    const fixture = await peopleOf(stage)
    const first = await fixture.snapshot()
    const unlimited = ['Luis', 'Sol', 'luis@example.com', '', '', '', 'algebra', 'without_access', 'none']
    const rows = [NEW1, NEW2, ['New', 'Three', 'new3@example.com', '', '', '', 'logic', '', ''], unlimited]
    const path = fixture.write('people.csv', csvOf(WITH_ACCESSES, rows))
    const args = [path, ...target(fixture), ...UPDATE]
    await killAt(stage, fixture, args, { isRequest: isBatch, nth: 2, isCarriedOut: false })
    for (const [name, last_name, email] of rows.slice(0, 3))
      await fixture.api('POST', '/users', { name, last_name, email })
    const others = await fixture.snapshot()
    assert.match((await fixture.run(['--undo', `${path}.state`])).stdout, /^Erased 0, /)
    assert.deepEqual(await fixture.snapshot(), others)

    const isLimit = ({ method }: { method: string }) => method === 'PUT'
    const killed = await killAt(stage, fixture, args, { isRequest: isLimit, isCarriedOut: false })
    assert.equal(killed.isKilled, true)
    assert.match(
      (await fixture.run(['--undo', `${path}.state`])).stdout,
      /^Erased 0, .* accesses put back 1, staying 0\./,
    )
    assert.deepEqual((await fixture.snapshot())['luis@example.com'], first['luis@example.com'])
  })

  it('puts back what was there when the import went on', async () => {
    const fixture = await peopleOf(stage)
    const { api, ana } = fixture
    const args = [
      fixture.write('people.csv', csvOf(WITH_ACCESSES, [NEW1, NEW2, NEW3, ANA])),
      ...target(fixture),
      ...UPDATE,
    ]
    await killAt(stage, fixture, args, { isRequest: isBatch, nth: 2, isCarriedOut: false })
    await api('PATCH', `/users/${ana}`, { phone: '650' })
    const { id: user_id } = await api('POST', '/users', {
      name: 'New',
      last_name: 'One',
      email: 'new1@example.com',
    })
    await api('POST', '/product_accesses', { user_id, slug: 'algebra' })
    // With all values of the row.
    await api('POST', '/users', { name: 'New', last_name: 'Three', email: 'new3@example.com' })
    const before = await fixture.snapshot()
    assert.match((await fixture.run(args)).stdout, /Created 1, existing 3, of which 2 changed/)
    const { stdout, stderr } = await fixture.run(['--undo', `${args[0]}.state`])
    assert.match(stdout, /^Erased 1, accesses closed 1, people put back 2, .* staying 0\./, stderr)
    const { 'ana@example.com': left, ...others } = await fixture.snapshot()
    assert.deepEqual(
      { ...others, 'ana@example.com': { ...left, accesses: 0 } },
      { ...before, 'ana@example.com': { ...before['ana@example.com'], accesses: 0 } },
    )
  })

  it('knows what the first attempt has changed already, of an access one part', () => {
    const about = { line: 2, id: '5', person: 'Ana', before: {} }
    const access = { id: '7', slug: 'algebra', product: 'Algebra', effects: [] }
    const change = (phone: string, from: [string, string | null]) => ({
      ...about,
      changes: [{ field: 'phone', from: phone, to: '700' }],
      left: [{ field: 'phone', from: `"${phone}"`, to: '"700"' }],
      accesses: [{ ...access, from: { status: from[0], due: from[1] }, to: { status: 'with_access', due: null } }],
    })
    const kept = change('600', ['without_access', '2027'])
    const found = { ...change('650', ['with_access', '2027']), before: { phone: '650' } }
    const merged = change('650', ['without_access', '2027'])
    assert.deepEqual(mergedChanges([kept], [found]), [merged])
    assert.deepEqual(mergedChanges([kept], []), [kept])
    assert.deepEqual(mergedChanges([kept], [{ ...found, id: '9' }]), [{ ...found, id: '9' }])
    const password = { ...about, line: 3, changes: [{ field: 'password', from: '', to: '' }], left: [], accesses: [] }
    assert.deepEqual(mergedChanges([], [password, { ...found, line: 4 }]), [{ ...found, line: 4 }])
  })
})

describe('An undo', () => {
  it('changes nothing that somebody has changed since an earlier one, and keeps nothing of those it has erased', async () => {
    const fixture = await peopleOf(stage)
    const state = await importRows(fixture, [
      NEW1,
      NEW2,
      ANA,
      ['New', 'Dos', 'new2@example.com', '2', '', '', '', '', ''],
    ])
    const office = await stage.root('POST', '/admin/operators', { name: 'O', role: 'office' })
    const lost = new Set(['PUT', 'DELETE'])
    stage.setHook(async ({ method }) => (lost.delete(method) ? 'drop' : undefined))
    const closed = await fixture.run(['--undo', state], secretOf(office))
    assert.match(closed.stdout, /^Erased 0, accesses closed 2, people put back 1, .* staying 2\./)
    const ids = await idsOf(fixture)
    for (const email of ['new1@example.com', 'ana@example.com'])
      for (const access of await fixture.list(`/product_accesses?user_id=${ids.get(email)}&status=without_access`))
        await fixture.api('PUT', `/product_accesses/${idOf(access)}`, { status: 'with_access' })
    await fixture.api('PATCH', `/users/${fixture.ana}`, { phone: '700' })
    const { 'new2@example.com': _, ...between } = await fixture.snapshot()
    const { stdout, stderr } = await fixture.run(['--undo', state])
    assert.match(stdout, /^Erased 1, accesses closed 2, people put back 1, .* staying 1\./, stderr)
    assert.deepEqual(await fixture.snapshot(), between)
    assert.match(readFileSync(state, 'utf8'), /new1@/)
    assert.doesNotMatch(readFileSync(state, 'utf8'), /new2@|ana@/)
  })

  it('erases those whose product has another slug or length by now, and says which access it cannot find', async () => {
    const fixture = await peopleOf(stage)
    const state = await importRows(fixture, [NEW1, ANA])
    for (const { id, slug } of await fixture.list('/products'))
      await fixture.api('PATCH', `/products/${String(id)}`, { slug: `${String(slug)}-2`, expiration_days: 30 })
    const { stdout, stderr } = await fixture.run(['--undo', state])
    assert.match(stdout, /^Erased 1, .* staying 1\.\nAna Gil, row 3: the access to logic stays/, stderr)
  })

  it('does not change somebody else who has an id of the import, as in another database', async () => {
    const fixture = await peopleOf(stage)
    const state = await importRows(fixture, [
      ['Ana', 'Gil', 'ana@example.com', '700', '', '', 'algebra', 'without_access', ''],
    ])
    const user = { name: 'Eva', last_name: 'Paz', email: 'eva@example.com', phone: '700' }
    const { id: user_id } = await fixture.api('POST', '/users', user)
    const { id: access } = await fixture.api('POST', '/product_accesses', {
      user_id,
      slug: 'algebra',
      status: 'without_access',
      access_due_date: '2027-12-31T12:00:00.000Z',
    })
    const [own] = await fixture.list(`/product_accesses?user_id=${fixture.ana}`)
    const other = new Map([
      [fixture.ana, user_id],
      [idOf(own), access],
    ])
    const text = readFileSync(state, 'utf8')
    writeFileSync(
      state,
      text.replaceAll(/"id":"(\d+)"/g, (whole, id: string) =>
        other.has(id) ? `"id":"${String(other.get(id))}"` : whole,
      ),
    )
    const before = await stateOf(fixture, 'eva@example.com')
    const { code } = await fixture.run(['--undo', state])
    assert.deepEqual([code, await stateOf(fixture, 'eva@example.com')], [1, before])
  })
})
