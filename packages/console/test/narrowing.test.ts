import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import type { List } from '../src/api/pages.ts'
import type { User } from '../src/screens/users/draft.ts'
import { goOn, noSearch } from '../src/screens/users/narrowing.ts'

const WINDOW = 3
const signal = AbortSignal.any([])
const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const NAMES = [
  'Ana Gil',
  'José García',
  'Ana García',
  'Rui Gato',
  'josé gatell',
  'Eva Ruiz',
  'Joseba Garrido',
  'Ana Gil',
]

function userOf(id: number, [name = '', last_name = '']: string[]): User {
  const at = '2031-03-10T12:00:00.000Z'
  const email = `u${id}@example.com`
  return {
    id: String(id),
    role: 'student',
    name,
    last_name,
    email,
    language: 'EN',
    created_at: at,
    updated_at: at,
    custom_fields: {},
  }
}

const USERS = NAMES.map((name, i) => userOf(i, name.split(' ')))

/** Like the service, it examines a few users for each request. The cursor is the place of the next one. */
function service(users: User[]) {
  const asked: string[] = []
  const listOf =
    (q: string): List<User> =>
    async (after = '0') => {
      asked.push(`${q} from ${after}`)
      const from = Number(after)
      const data = users.slice(from, from + WINDOW).filter(({ name, last_name, email }) =>
        fold(q)
          .split(' ')
          .every((word) => [name, last_name, email].some((text) => fold(text).includes(word))),
      )
      return { data, next: from + WINDOW < users.length ? String(from + WINDOW) : null }
    }
  return { asked, listOf }
}

async function readAll(list: List<User>, pages = Infinity): Promise<User[]> {
  const found: User[] = []
  let after: string | undefined
  for (let page = 0; page < pages; page++) {
    const { data, next } = await list(after, { limit: 50, signal })
    found.push(...data)
    if (next === null) break
    after = next
  }
  return found
}

describe('a search for a text that is typed on', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'] }))
  afterEach(() => mock.timers.reset())

  it('finds the same users in the same order as a new search, wherever the last one has stopped', async () => {
    for (const text of ['jose gar', 'JOSÉ GAT', 'a g', 'rui', 'nobody', 'gil ana', 'u7@example']) {
      for (const pages of [1, 2, 3]) {
        const { listOf } = service(USERS)
        const last = noSearch()
        const expected = await readAll(listOf(text))
        const letters = Array.from(text, (_, i) => text.slice(0, i + 1).trim())
        for (const q of letters) await readAll(goOn(last, { store: 's', q }, listOf(q)), pages)
        assert.deepEqual(await readAll(goOn(last, { store: 's', q: text }, listOf(text))), expected, text)
      }
    }
  })

  it('examines nobody again', async () => {
    const { asked, listOf } = service(USERS)
    const last = noSearch()
    await readAll(goOn(last, { store: 's', q: 'jose g' }, listOf('jose g')), 2)
    await readAll(goOn(last, { store: 's', q: 'jose gar' }, listOf('jose gar')))
    assert.deepEqual(asked, ['jose g from 0', 'jose g from 3', 'jose gar from 6'])
    await readAll(goOn(last, { store: 's', q: 'jose garr' }, listOf('jose garr')))
    assert.equal(asked.length, 3)
  })

  it('begins again for another text, for another store, and after five seconds', async () => {
    const { asked, listOf } = service(USERS)
    const last = noSearch()
    const search = (q: string, store = 's') => readAll(goOn(last, { store, q }, listOf(q)), 1)
    await search('jose gar')
    await search('jose ga')
    await search('ana ga')
    await search('ana gar', 'other')
    assert.deepEqual(asked.splice(0), ['jose gar from 0', 'jose ga from 0', 'ana ga from 0', 'ana gar from 0'])
    mock.timers.tick(5_001)
    await search('ana gar g', 'other')
    assert.deepEqual(asked, ['ana gar g from 0'])
  })

  it('begins again if the email of somebody starts with the text, because those users come first', async () => {
    const { asked, listOf } = service(USERS)
    const last = noSearch()
    await readAll(goOn(last, { store: 's', q: 'U1@' }, listOf('U1@')), 1)
    await readAll(goOn(last, { store: 's', q: 'u1@e' }, listOf('u1@e')), 1)
    assert.deepEqual(asked, ['U1@ from 0', 'u1@e from 0'])
  })

  it('goes on for more digits of a phone, which is looked for as words, too', async () => {
    const users = [
      { ...userOf(0, ['Ana', 'Gil']), phone: '+351 920 000 001' },
      { ...userOf(1, ['Eva', 'Gil']), external_id: '92000x' },
      { ...userOf(2, ['Rui', 'Gil']), phone: '９２０００', external_id: '5' },
      { ...userOf(3, ['Leo', 'Gil']), phone: '9200 1' },
    ]
    const asked: string[] = []
    const list: List<User> = async () => {
      asked.push('9200')
      return { data: users, next: null }
    }
    const last = noSearch()
    await readAll(goOn(last, { store: 's', q: '9200' }, list))
    assert.deepEqual(await readAll(goOn(last, { store: 's', q: '92000' }, list)), users.slice(0, 3))
    assert.deepEqual(await readAll(goOn(last, { store: 's', q: '92000000' }, list)), users.slice(0, 1))
    assert.equal(asked.length, 1)
  })

  it('begins again where more of a phone can find more: from four digits, from nine, and with a `(0)`', async () => {
    for (const [q, longer] of [
      ['920', '9200'],
      ['92000000', '920000000'],
      ['920000000', '920000000x'],
      ['12345(0', '12345(0)'],
    ] as const) {
      const { asked, listOf } = service(USERS)
      const last = noSearch()
      await readAll(goOn(last, { store: 's', q }, listOf(q)))
      const before = asked.length
      await readAll(goOn(last, { store: 's', q: longer }, listOf(longer)))
      assert.equal(asked[before], `${longer} from 0`)
    }
  })

  it('goes on for words that a comma separates', async () => {
    const { asked, listOf } = service(USERS)
    const last = noSearch()
    await readAll(goOn(last, { store: 's', q: 'garcia' }, listOf('garcia')))
    const before = asked.length
    assert.deepEqual(await readAll(goOn(last, { store: 's', q: 'Garcia, josé' }, listOf('-'))), [USERS[1]])
    assert.equal(asked.length, before)
  })

  it('goes on for the newest text only, if the search for an older one is still under way', async () => {
    const { asked, listOf } = service(USERS)
    const last = noSearch()
    const older = goOn(last, { store: 's', q: 'jose' }, listOf('jose'))
    const newer = goOn(last, { store: 's', q: 'jose g' }, listOf('jose g'))
    await older(undefined, { limit: 50, signal })
    await newer(undefined, { limit: 50, signal })
    await older('3', { limit: 50, signal })
    assert.deepEqual(await readAll(goOn(last, { store: 's', q: 'jose gar' }, listOf('jose gar'))), [USERS[1], USERS[6]])
    assert.deepEqual(asked, ['jose from 0', 'jose from 3', 'jose gar from 3', 'jose gar from 6'])
  })
})
