import { beforeAll, describe, expect, it } from 'vitest'
import { newEmail, newStore, useStore } from '../../support/api.ts'
import { measure } from '../../support/costs.ts'
import { rowsOf, storeNumber } from '../../support/rows.ts'
import { insertUsers, listAllUsers, listUsers, newUsers } from '../../support/users.ts'

describe('GET /v1/stores/{store_id}/users?q=', () => {
  const own = useStore()
  let users: any[]

  beforeAll(async () => {
    users = await newUsers(own, [
      { name: 'Zoe', last_name: 'Adams', email: 'zoe@example.com' },
      { name: 'Ada', last_name: 'Byron', email: 'countess@example.com' },
      { name: 'Kay', last_name: 'Élan', email: 'ADAM@Example.com' },
      { name: 'ada', last_name: 'ada', email: 'ada@bücher.example.com' },
      { name: '100%_', last_name: 'X', email: 'x@example.com' },
      { name: 'Ünal', last_name: 'Y', email: 'ada@example.com' },
    ])
  })

  async function found(q: string, limit = '50') {
    const { data } = await listAllUsers(own, { q, limit })
    return data.map((user) => users.findIndex(({ id }) => id === user.id))
  }

  it('returns users whose email starts with q in the order of the email, then users by name in the order of the ids', async () => {
    expect(await found('ada')).toEqual([5, 3, 2, 0, 1])
    expect(await found('ADA')).toEqual([5, 3, 2, 0, 1])
  })

  it.each(['1', '2', '3', '4', '5'])('returns each user once in pages of %s', async (limit) => {
    expect(await found('ada', limit)).toEqual([5, 3, 2, 0, 1])
  })

  it.each([
    ['adams', [0]],
    ['dam', [0, 2]],
    ['example', [0, 1, 2, 3, 4, 5]],
    ['ada@', [5, 3]],
    ['ada@e', [5]],
    ['ada@bü', [3]],
    ['ADA@Bü', [3]],
    ['ada@BÜ', [3]],
    ['ada@bucher.example.com', [3]],
    ['BUCHER', [3]],
    ['bücher', [3]],
    // The domain as punycode is no part of the email that the user has given.
    ['ada@xn--b', []],
    ['kva', []],
    ['ada@b', [3]],
    ['%', [4]],
    ['_', [4]],
    ['100%_', [4]],
    ['Él', [2]],
    ['él', [2]],
    ['elan', [2]],
    ['ELAN kay', [2]],
    ['E\u0301lan', [2]],
    ['ünal', [5]],
    ['UNAL', [5]],
    ['unal y', [5]],
    ['byr ADA', [1]],
    ['byron countess@', [1]],
    ['  byron\u00a0\u2003ada ', [1]],
    ['a y a y n', [1, 2, 5]],
    ['ada adams', [0]],
    ['x x@', [4]],
    ['x@example.com', [4]],
    ['x@example.com.', []],
    ["'; drop table users; --", []],
    ['ada byron', [1]],
    ['ada byron zoe', []],
    ['adabyron', []],
    ['😀', []],
  ])('finds the expected users for %s', async (q, expected) => {
    expect(new Set(await found(q))).toEqual(new Set(expected))
  })

  it.each([
    ['600', ['names']],
    ['6001', ['one', 'two']],
    ['+34 600-12', ['one', 'two']],
    ['034600', ['one', 'two']],
    ['(600) 12.34 56', ['one', 'two']],
    // Six words would be 422.
    ['6 0 0 1 2 3', ['one', 'two']],
    // Without the zeros at its beginning it is too short for a phone.
    ['0 0\u00a01\u20032', []],
    ['60012345600', []],
    ['6001x', []],
    ['01234567', ['two', 'digits']],
    // It is looked for as words, too.
    ['7771', ['names']],
    ['777-1', []],
    ['3-4', []],
    ['+351 920 000 000', ['local', 'full', 'wide']],
    ['920000000', ['local', 'full', 'wide']],
    ['00351920000000', ['local', 'full', 'wide']],
    ['00351 (0) 920/000–000', ['local', 'full', 'wide']],
    ['\u202a＋３５１（９２０）０００．０００\u202c', ['local', 'full', 'wide']],
    ['0920 000 000', ['local', 'full', 'wide']],
    ['+55 20 000 000', ['local', 'full', 'wide']],
    // Seven digits must be a part.
    ['920 0000', ['local', 'full', 'wide']],
    ['930 0000', []],
    ['2000', ['local', 'full', 'wide']],
    ['0000', []],
    ['+351 12 34567', []],
    ['+351 1234567', []],
  ])('finds the expected users by the phone %s', async (q, expected) => {
    const other = await newStore()
    // With emails of its own: a random one may contain the digits.
    const all = await newUsers(other, [
      { last_name: 'one', phone: '+34 600 12 34 56', email: 'one@example.com' },
      { last_name: 'two', phone: '0034-600-(12)-34-56-7', email: 'two@example.com' },
      { last_name: 'names', name: '600 7771', external_id: '7771', email: '7771@example.com' },
      { last_name: 'digits', phone: '0.1.2.3.4.5.6.7 ext', email: 'digits@example.com' },
      { last_name: 'none', phone: 'no number', email: 'none@example.com' },
      { last_name: 'local', phone: '920000000', email: 'local@example.com' },
      { last_name: 'full', phone: '+351 920 000 000', email: 'full@example.com' },
      { last_name: 'wide', phone: '９２０ ０００ ０００', email: 'wide@example.com' },
      { last_name: 'short', phone: '234567', email: 'short@example.com' },
    ])
    const { data } = await listAllUsers(other, { q, limit: '2' })
    expect(data).toEqual(all.filter(({ last_name }) => expected.some((name) => name === last_name)))
  })

  it('returns the users with the phone whose email starts with it first', async () => {
    const other = await newStore()
    const [by_phone, by_email, of_email] = await newUsers(other, [
      { phone: '555-1234' },
      { phone: '5551234', email: '5551234@example.com' },
      { email: '55512345@example.com' },
    ])
    expect((await listUsers(other, { q: '5551234' })).json.data).toEqual([of_email, by_email, by_phone])
    expect((await listAllUsers(other, { q: '5551234', limit: '1' })).data).toEqual([of_email, by_email, by_phone])
  })

  it.each([
    ['crm', ['one', 'two']],
    ['CRM-7', ['one', 'two']],
    ['crm-71', ['two']],
    ['rm-7', []],
    ['crm-7 two', ['two']],
    ['ÉTé', ['accents']],
    ['été', []],
    ['ete', []],
    ['zq´z', ['apostrophe']],
    ['zq¨z', ['space']],
    ['7012', ['digits']],
  ])('finds the users whose external_id begins with %s, in any ASCII case', async (q, expected) => {
    const other = await newStore()
    const all = await newUsers(other, [
      { last_name: 'one', external_id: 'Crm-7' },
      { last_name: 'two', external_id: 'cRM-71' },
      { last_name: 'accents', external_id: 'Été' },
      { last_name: 'space', external_id: 'ZQ¨zq' },
      { last_name: 'apostrophe', external_id: 'ZQ´zq' },
      { last_name: 'digits', external_id: '70123' },
      { last_name: 'none' },
    ])
    const { data } = await listAllUsers(other, { q, limit: '1' })
    expect(data).toEqual(all.filter(({ last_name }) => expected.some((name) => name === last_name)))
  })

  it.each([
    ['lukasz', 'Łukasz'],
    ['ŁUKASZ', 'lukasz'],
    ['soren', 'Søren'],
    ['thorsson', 'Þórsson'],
    ['strasse', 'Straße'],
    ['STRAẞE', 'Strasse'],
    ['aesop', 'Æsop'],
    ['dj', 'Đj'],
    ['isil', 'Işıl'],
    ["o'neill", 'O’Neill'],
    ['“ace”', '"Ace"'],
    ['hal', 'Ħal'],
    ['Əliyev', 'Eliyev'],
    ['nuuk', 'Ŋuuk'],
    ['galla', 'Gal·la'],
    ['gal·la', 'Galla'],
    ['fernandez', 'Fer\u00adnández'],
    ['\u202afer\u200bnandez\u202c', 'Fernandez'],
    ['jean-luc', 'Jean\u2010Luc'],
    ['jean\u2011luc', 'Jean-Luc'],
    ['jean\u2010luc', 'Jean\u2013Luc'],
    ['García, José', 'José García'],
    ['josé,garcía', 'García, José'],
  ])('finds by %s the last name %s', async (q, last_name) => {
    const other = await newStore()
    const [user] = await newUsers(other, [{ last_name }, { last_name: 'Other' }])
    expect((await listUsers(other, { q })).json.data).toEqual([user])
  })

  it("finds O'Brien by every apostrophe, however it was written", async () => {
    const other = await newStore()
    const apostrophes = ["'", '\u2019', '\u00b4', '\u0060', '\u02bb', '\u02bc']
    const all = await newUsers(
      other,
      apostrophes.map((apostrophe) => ({ last_name: `O${apostrophe}Brien` })),
    )
    await newUsers(other, [{ last_name: 'OBrien' }, { last_name: 'O Brien' }])
    for (const apostrophe of apostrophes) {
      expect((await listUsers(other, { q: `o${apostrophe}brien` })).json.data).toEqual(all)
    }
  })

  it('finds an email that has a grave accent by each apostrophe, and first if it starts with q', async () => {
    const other = await newStore()
    const [grave, name, straight] = await newUsers(other, [
      { email: 'o`hara@example.com' },
      { last_name: "O'Hara" },
      { email: "o'hara@example.com" },
    ])
    expect((await listUsers(other, { q: 'o`hara' })).json.data).toEqual([grave, name, straight])
    expect((await listUsers(other, { q: "o'hara" })).json.data).toEqual([straight, grave, name])
    expect((await listAllUsers(other, { q: 'O`Hara@example.com', limit: '1' })).data).toEqual([grave, straight])
  })

  it('compares the first 255 characters of a folded name', async () => {
    const other = await newStore()
    const [user] = await newUsers(other, [{ name: `${'Æ'.repeat(127)}xy` }])
    expect((await listUsers(other, { q: 'aex' })).json.data).toEqual([user])
    expect((await listUsers(other, { q: 'xy' })).json.data).toEqual([])
  })

  it('accepts a q that is longer than the 50 bytes of a LIKE pattern', async () => {
    const other = await newStore()
    const name = `${'x'.repeat(80)}needle${'y'.repeat(100)}`
    const [user] = await newUsers(other, [{ name }])
    expect((await listUsers(other, { q: name.slice(40, 130) })).json.data).toEqual([user])
  })

  it('combines q with the other filters', async () => {
    const [other, email] = [await newStore(), newEmail()]
    const [user] = await newUsers(other, [{ name: 'Filtered', email, external_id: 'f' }])
    await newUsers(other, [{ name: 'Filtered', external_id: 'g' }, { name: 'Filtered' }])
    expect((await listUsers(other, { q: 'filtered', external_id: 'f' })).json.data).toEqual([user])
    expect((await listUsers(other, { q: 'filtered', email })).json.data).toEqual([user])
    expect((await listUsers(other, { q: email.slice(0, 9), external_id: 'g' })).json.data).toEqual([])
  })

  it('examines at most 10,000 users per page, and next continues the search', async () => {
    const many = await newStore()
    await insertUsers(many, 12_000, { name: 'Nobody', domain: '@many.example.com' })
    const [needle] = await newUsers(many, [{ name: 'Needle' }])
    const first = await measure((bindings) => listUsers(many, { q: 'needle' }, { bindings }))
    expect([first.trips, first.outcome]).toEqual([1, '200'])
    // Each is read twice.
    expect(first.read).toBeLessThanOrEqual(20_000)
    const { data, pages } = await listAllUsers(many, { q: 'needle' })
    expect(data).toEqual([needle])
    expect(pages).toBe(2)
    const full = await measure((bindings) => listUsers(many, { q: 'nobody', limit: '10' }, { bindings }))
    expect(full.read).toBeLessThanOrEqual(100)
  })

  it('returns next null when the last user has been examined', async () => {
    const many = await newStore()
    // Exactly as many as one request examines. No email starts with two words, so all are examined by name.
    await insertUsers(many, 10_000, { name: 'Nobody', domain: '@many.example.com' })
    const q = 'needle needle'
    expect((await listUsers(many, { q })).json).toEqual({ data: [], next: null })
    const [needle] = await newUsers(many, [{ name: 'Needle' }])
    const { json } = await listUsers(many, { q })
    expect(json).toEqual({ data: [], next: expect.any(String) })
    expect((await listUsers(many, { q, after: json.next })).json).toEqual({ data: [needle], next: null })
  })

  it('examines a bounded number of users per page when many emails have the same local part', async () => {
    const many = await newStore()
    const number = await storeNumber(many)
    await insertUsers(many, 2000, { name: 'Info', domain: '@many.example.com' })
    await rowsOf("update users set email_key = 'info@' || email_key, email = 'info@' || email where store = ?", number)
    const [needle] = await newUsers(many, [{ email: 'info@zzz.example.com' }])
    const first = await measure((bindings) => listUsers(many, { q: 'info@zzz' }, { bindings }))
    expect(first.read).toBeLessThanOrEqual(10_000)
    expect((await listAllUsers(many, { q: 'info@zzz' })).data).toEqual([needle])
  })
})
