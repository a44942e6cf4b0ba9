/** Takes imports back with the command, on the real service: only that one has ETags and erases. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { toRow } from '../../../tools/simulation/rows.ts'
import { waitForExit } from './command.ts'
import { csvOf } from './memory.ts'
import { peopleOf, WITH_ACCESSES } from './undo-people.ts'
import { type Fixture, idOf, openStage, secretOf, type Stage } from './undo-service.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
afterEach(() => stage.setHook(undefined))
after(() => stage.stop())

const UPDATE = ['--on-existing', 'update']

const target = ({ store }: Fixture) => ['--store', store, '--url', stage.url]
const withPeople = () => peopleOf(stage)

/** Creates two people, changes and grants with Ana, and closes and shortens Luis' access. */
const ROWS = [
  ['New', 'One', 'new1@example.com', '1', 'es', 'red', 'algebra', '', ''],
  ['New', 'Two', 'new2@example.com', '', '', '', '', '', ''],
  ['Anna', 'Gil', 'ana@example.com', '700', 'fr', '"7"', 'algebra|logic', '', ''],
  ['Luis', 'Sol', 'luis@example.com', '', '', '', 'algebra', 'without_access', '2027-06-30T12:00:00Z'],
]

async function importRows(fixture: Fixture, rows = ROWS, name = 'people.csv'): Promise<string> {
  const path = fixture.write(name, csvOf(WITH_ACCESSES, rows))
  // One test has rows that rename the people of earlier ones.
  const { code, stdout, stderr } = await fixture.run([path, ...target(fixture), ...UPDATE, '--rename'])
  assert.equal(code, 0, stdout + stderr)
  assert.match(stdout, /To take this import back: npm run import -- --undo \S+people\.csv\.state --dry-run\n$/)
  return `${path}.state`
}

describe('npm run import -- --undo', () => {
  it('erases whom the import created, puts back what it changed, and closes what it granted', async () => {
    const fixture = await withPeople()
    const first = await fixture.snapshot()
    const old = fixture.write('people.csv.state', 'somebody else’s file')
    chmodSync(old, 0o644)
    const state = await importRows(fixture)
    assert.equal(statSync(state).mode & 0o777, 0o600)
    assert.ok(readdirSync(fixture.folder).some((name) => /^people\.csv\..+\.state$/.test(name)))
    const imported = await fixture.snapshot()
    chmodSync(state, 0o644)

    const dry = await fixture.run(['--undo', state, '--dry-run'])
    const counts = 'erased 2, accesses closed 1, people put back 1, accesses put back 1, staying 0.'
    assert.equal(dry.stdout, `Dry run, nothing was changed. Would be ${counts}\n`)
    assert.deepEqual([dry.code, await fixture.snapshot()], [0, imported])

    const { code, stdout, stderr } = await fixture.run(['--undo', state, ...target(fixture)])
    assert.equal(stdout, `E${counts.slice(1)}\n`, stderr)
    assert.equal(code, 0)
    const left = await fixture.snapshot()
    const { accesses } = left['ana@example.com'] ?? {}
    assert.deepEqual(accesses, { ...Object(first['ana@example.com']?.['accesses']), logic: 'without_access null' })
    assert.deepEqual({ ...left['ana@example.com'], accesses: 0 }, { ...first['ana@example.com'], accesses: 0 })
    assert.deepEqual(left['luis@example.com'], first['luis@example.com'])
    assert.deepEqual(Object.keys(left), Object.keys(first))
    assert.equal(statSync(state).mode & 0o777, 0o600)
    assert.doesNotMatch(readFileSync(state, 'utf8'), /new1|ana@/)

    const again = await fixture.run(['--undo', state])
    assert.deepEqual([again.code, again.stdout], [0, stdout])
    assert.deepEqual(await fixture.snapshot(), left)
  })

  it('leaves what somebody has touched since, and lists it with the names first', async () => {
    const fixture = await withPeople()
    const { api, ana } = fixture
    const more = [
      ['New', 'Three', 'new3@example.com', '', '', '', 'algebra', '', ''],
      ['=New', 'Four', 'new4@example.com', '', '', '', 'algebra|logic', '', ''],
      ['New', 'Five', 'new5@example.com', '', '', '', '', '', ''],
    ]
    const state = await importRows(fixture, [...ROWS, ...more])
    const ids = new Map((await fixture.list('/users')).map((user) => [user['email'], idOf(user)]))
    const accessOf = async (email: string, slug: string) => {
      const found = await fixture.list(`/product_accesses?user_id=${ids.get(email)}`)
      return idOf(found.find(({ product }) => toRow(product)['slug'] === slug))
    }
    await api('PATCH', `/users/${ids.get('new1@example.com')}`, { phone: '2' })
    await api('POST', '/product_accesses', { user_id: ids.get('new2@example.com'), slug: 'logic' })
    await api('PATCH', `/product_accesses/${await accessOf('new3@example.com', 'algebra')}`, { progress: 5 })
    await api('PUT', `/product_accesses/${await accessOf('new4@example.com', 'algebra')}`, { access_due_date: null })
    await api('PATCH', `/users/${ana}`, { phone: '800' })
    await api('PUT', `/product_accesses/${await accessOf('luis@example.com', 'algebra')}`, { status: 'with_access' })

    const dry = await fixture.run(['--undo', state, '--dry-run'])
    const { code, stdout } = await fixture.run(['--undo', state])
    const counts = 'erased 1, accesses closed 4, people put back 1, accesses put back 0, staying 7.'
    assert.match(dry.stdout, new RegExp(`Would be ${counts}`))
    assert.match(stdout, new RegExp(`^E${counts.slice(1)}\n`))
    assert.deepEqual([dry.code, code], [1, 1])
    assert.match(stdout, /^Luis Sol, row 5: the access to Algebra stays: it is no longer as the import left it\.$/m)
    assert.match(stdout, /^Ana Gil, row 4: phone stays: it is no longer as the import left it\.$/m)
    assert.match(stdout, /^New One, row 2: the person stays: somebody has changed the person since\.$/m)
    const list = readFileSync(state.replace('.state', '.stays.csv'), 'utf8')
    assert.match(list, /^name,email,row,what,why\r\n/)
    assert.match(list, /^'=New Four,new4@example\.com,7,the person,"somebody has granted or changed an access since/m)
    assert.equal(statSync(state.replace('.state', '.stays.csv')).mode & 0o777, 0o600)
    const left = await fixture.snapshot()
    assert.deepEqual([left['ana@example.com']?.['name'], left['ana@example.com']?.['phone']], ['Ana', '800'])
    assert.deepEqual(
      [left['new2@example.com']?.['accesses'], left['new4@example.com']?.['accesses']],
      [{ logic: 'with_access null' }, { algebra: 'with_access null', logic: 'without_access null' }],
    )
    assert.equal(left['new5@example.com'], undefined)
    const kept = readFileSync(state, 'utf8')
    assert.match(kept, /new1@example/)
    assert.doesNotMatch(kept, /new5@example/)
  })

  it('sends each erasure with the ETag of the creation, and does not overwrite what changes between two of its requests', async () => {
    const fixture = await withPeople()
    const { api, ana } = fixture
    const state = await importRows(fixture)
    let [erasures, patches]: [string[], number] = [[], 0]
    stage.setHook(async ({ method, path, ifMatch = '' }) => {
      const id = path.split('/').at(-1)
      if (method === 'DELETE') {
        assert.equal(ifMatch, `"${id}-${id}"`)
        erasures.push(id ?? '')
        if (erasures.length === 1) await api('PATCH', `/users/${id}`, { phone: '9' })
      }
      // The first time another field changes, and then one that the undo puts back.
      if (method === 'PATCH')
        await api('PATCH', `/users/${ana}`, [{ external_id: 'x' }, { phone: '900' }][patches++] ?? {})
      if (method === 'PUT') await api('PUT', path.replace(/.*(?=\/product_accesses)/, ''), { status: 'with_access' })
      return undefined
    })
    const { code, stdout } = await fixture.run(['--undo', state])
    assert.deepEqual([code, erasures.length, patches], [1, 2, 3])
    const left = await fixture.snapshot()
    assert.deepEqual(
      [left['ana@example.com']?.['name'], left['ana@example.com']?.['phone'], Object.keys(left).length],
      ['Ana', '900', 3],
    )
    assert.deepEqual(left['luis@example.com']?.['accesses'], { algebra: 'with_access 2027-06-30T12:00:00.000Z' })
    assert.match(stdout, /Erased 1, .* people put back 1, accesses put back 0, staying 3\./)
  })

  it('goes on after kill -9, and does nothing twice', async () => {
    const fixture = await withPeople()
    const first = await fixture.snapshot()
    const state = await importRows(fixture)
    for (const changes of [2, 3]) {
      const child = fixture.start(['--undo', state])
      const exit = waitForExit(child)
      let done = 0
      stage.setHook(async ({ method }) => {
        if (method === 'GET' || ++done < changes) return undefined
        child.kill('SIGKILL')
        return 'drop'
      })
      await exit
    }
    stage.setHook(undefined)
    const { code, stderr } = await fixture.run(['--undo', state])
    assert.equal(code, 0, stderr)
    const left = await fixture.snapshot()
    assert.deepEqual(left['luis@example.com'], first['luis@example.com'])
    assert.deepEqual(Object.keys(left), Object.keys(first))
    const events = await fixture.list('/events')
    const count = (type: string) => events.filter((event) => event['type'] === type).length
    // The import has changed Ana and Luis' access once, and the undo once more; a grant is closed once.
    assert.deepEqual([count('user.erased'), count('user.updated'), count('product_access.updated')], [2, 2, 3])
  })

  it('takes back an import that was killed before it had its results, and erases nobody who was there before', async () => {
    const fixture = await withPeople()
    const eva = { name: 'Eva', last_name: 'Paz', email: 'eva@example.com' }
    const zoe = { name: 'Zoe', last_name: 'Paz', email: 'zoe@example.com' }
    await fixture.api('POST', '/users', eva)
    let first: Record<string, unknown> = {}
    // Eva's row changes nothing, so she has every value that the import could have created her with. After it, so has Zoe.
    const rows = [
      ...ROWS,
      ['Eva', 'Paz', 'eva@example.com', '', '', '', '', '', ''],
      ['Zoe', 'Paz', 'zoe@example.com', '5', '', '', '', '', ''],
    ]
    const path = fixture.write('people.csv', csvOf(WITH_ACCESSES, rows))
    const child = fixture.start([path, ...target(fixture), ...UPDATE])
    const exit = waitForExit(child)
    let batches = 0
    stage.setHook(async ({ path: requested }) => {
      if (!requested.endsWith('/users/batch')) return undefined
      // The first one is the dry run that an update begins with.
      if (++batches === 1) {
        await fixture.api('POST', '/users', zoe)
        first = await fixture.snapshot()
        return undefined
      }
      child.kill('SIGKILL')
      return 'drop'
    })
    await exit
    stage.setHook(undefined)
    // The batch is still under way when the process is gone.
    while (Object.keys(await fixture.snapshot()).length < 6) await setTimeout(20)
    const { code, stdout, stderr } = await fixture.run(['--undo', `${path}.state`])
    assert.match(stdout, /^Erased 2, accesses closed 1, people put back 2, accesses put back 1, staying 0\./, stderr)
    assert.equal(code, 0)
    const left = await fixture.snapshot()
    assert.deepEqual(Object.keys(left), Object.keys(first))
    for (const name of ['luis', 'zoe']) assert.deepEqual(left[`${name}@example.com`], first[`${name}@example.com`])
    assert.equal(existsSync(`${path}.registrar-import.json`), false)
  })

  it('takes back each row about a person whom the file names several times', async () => {
    const fixture = await withPeople()
    const first = await fixture.snapshot()
    const state = await importRows(fixture, [
      ['New', 'One', 'new1@example.com', '1', '', '', 'algebra', '', ''],
      ['Anna', 'Gil', 'ana@example.com', '', '', '', '', '', ''],
      ['New', 'Uno', 'new1@example.com', '', '', '', 'algebra|logic', '', 'none'],
      ['Anne', 'Gil', 'ana@example.com', '', '', '', '', '', ''],
    ])
    const dry = await fixture.run(['--undo', state, '--dry-run'])
    assert.match(dry.stdout, /Would be erased 1, accesses closed 0, people put back 2, .* staying 0\./)
    const { code } = await fixture.run(['--undo', state])
    assert.deepEqual([code, await fixture.snapshot()], [0, first])
  })

  it('closes only, and says so, with a token that may not erase; an admin then erases', async () => {
    const fixture = await withPeople()
    const state = await importRows(fixture)
    const office = await stage.root('POST', '/admin/operators', { name: 'O', role: 'office' })
    const { code, stdout } = await fixture.run(['--undo', state], secretOf(office))
    assert.match(stdout, /^Erased 0, accesses closed 2, people put back 1, accesses put back 1, staying 2\./)
    assert.match(stdout, /This token may not erase people: those whom the import created stay/)
    assert.match(stdout, /^New One, row 2: the person stays: this token may not erase people\.$/m)
    assert.equal(code, 1)
    const left = await fixture.snapshot()
    assert.match(JSON.stringify(left['new1@example.com']?.['accesses']), /"without_access /)
    const scopes = ['users:read', 'users:write', 'product_accesses:write']
    const refused = await fixture.run(['--undo', state], await fixture.token(scopes))
    assert.match(refused.stderr, /The token lacks the scope product_accesses:read\.\nNothing was changed\./)
    assert.equal(refused.code, 2)
    const viewer = await stage.root('POST', '/admin/operators', { name: 'V', role: 'viewer' })
    assert.equal((await fixture.run(['--undo', state], secretOf(viewer))).code, 2)
    const admin = await fixture.run(['--undo', state])
    assert.match(admin.stdout, /^Erased 2, accesses closed 2, .* staying 0\./)
    assert.equal(admin.code, 0)
    assert.deepEqual(Object.keys(await fixture.snapshot()), ['ana@example.com', 'luis@example.com'])
  })

  it('exits with 2 and a clear sentence if it cannot begin', async () => {
    const fixture = await withPeople()
    const state = await importRows(fixture)
    const old = fixture.write('old.state', '{"run":{"url":"x","store":"y"},"state":{"next":3},"failed_bytes":0}')
    const cases: [string[], RegExp][] = [
      [['--undo', old], /does not say what the import has changed\..*\n?.*by a version before 3\.1\.0/],
      [['--undo', state.replace('.state', '')], /is not what an import has left in FILE\.state/],
      [['--undo', state, '--store', 'other'], /belongs to an import with --store shop-\w+, not other/],
      [['--undo', state, '--restart'], /--restart does not go with --undo/],
    ]
    const before = await fixture.snapshot()
    for (const [args, message] of cases) {
      const { code, stderr } = await fixture.run(args)
      assert.match(stderr, message)
      assert.equal(code, 2)
    }
    assert.deepEqual(await fixture.snapshot(), before)
  })

  it('keeps that of an earlier import of the same file, and leaves none if nothing was changed', async () => {
    const fixture = await withPeople()
    const state = await importRows(fixture)
    const path = state.replace(/\.state$/, '')
    const text = readFileSync(state, 'utf8')
    const same = await fixture.run([path, ...target(fixture), '--on-existing', 'skip'])
    assert.doesNotMatch(same.stdout, /take this import back/)
    assert.equal(readFileSync(state, 'utf8'), text)
    writeFileSync(path, csvOf(WITH_ACCESSES, [['Anneke', 'Gil', 'ana@example.com', '', '', '', '', '', '']]))
    const { stdout } = await fixture.run([path, ...target(fixture), ...UPDATE])
    const [, earlier = ''] = /It is (\S+) now\./.exec(stdout) ?? []
    assert.equal(readFileSync(earlier, 'utf8'), text)
    assert.match((await fixture.run(['--undo', state])).stdout, /^Erased 0, .* people put back 1/)
    assert.match((await fixture.run(['--undo', earlier])).stdout, /^Erased 2, .* people put back 1/)
  })
})
