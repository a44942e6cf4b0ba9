/** Every write of a name or an email keeps the columns that a search compares. */
import { describe, expect, it } from 'vitest'
import { fold, foldName } from '../../../src/modules/users/folding.ts'
import { isSearch, searchTermsOf } from '../../../src/modules/users/search-terms.ts'
import { call, createV1, createV3, newEmail, useStore, v1User, v3User } from '../../support/api.ts'
import { userRow } from '../../support/rows.ts'

describe('fold', () => {
  it.each([
    ['José GARCÍA', 'jose garcia'],
    ['Jose\u0301', 'jose'],
    ['Ñandú', 'nandu'],
    ['ÀÉÎÕÜÇ', 'aeiouc'],
    ['İstanbul', 'istanbul'],
    ['ﬁ Ⅷ Ａ', 'fi viii a'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['οδυσσευς', 'οδυσσευσ'],
    ['Straße STRAẞE', 'strasse strasse'],
    ['Łukasz ŁÓDŹ', 'lukasz lodz'],
    ['Øre ǿ Đà Ðan Þór ısı', 'ore o da dan thor isi'],
    ['Æsir ǽ Œuvre', 'aesir ae oeuvre'],
    ['O’Brien ‘a‛ “b„ «c»', `O'Brien 'a' "b" "c"`.toLowerCase()],
    ['Ħal Əliyev Ŋuuk', 'hal eliyev nuuk'],
    ["D'D\u2019D\u00b4D\u0060D\u02bbD\u02bcD\u2032D\u05f3D\u1fbdD\u1fbfD", "d'd'd'd'd'd'd'd'd'd'd"],
    ['a-b\u2010b\u2011b\u2012b\u2013b\u2014b\u2015b\u2212b\ufe58b\uff0db\u05beb', 'a-b-b-b-b-b-b-b-b-b-b-b'],
    ['\u202aFer\u00adnán\u200bd\u200c\u200de\u2060z\ufeff\u3164\u202c', 'fernandez'],
    ['Gal·la Gaŀla Gal‧la', 'galla galla galla'],
    ['中文 😀', '中文 😀'],
  ])('turns %s into %s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it.each([
    [' ada \u2003 BYRON\n', ['ada', 'byron']],
    ['\u00a0', []],
    ['\u0301', []],
    ['O¨Brien', ['o', 'brien']],
    ['O´Brien', ["o'brien"]],
    ['García, José', ['garcia', 'jose']],
    [',García,José， Ana、Eva،Zoe,', ['garcia', 'jose', 'ana', 'eva', 'zoe']],
    [', \u00ad,·', []],
  ])('splits %j into words', (text, words) => {
    expect(searchTermsOf(text).words.map(({ folded }) => folded)).toEqual(words)
  })
})

describe('searchTermsOf', () => {
  it.each([
    ['+351 920 000 000', '351920000000', '20000000'],
    ['00351936482157', '351936482157', '36482157'],
    ['+44 (0)20 7946/0018', '442079460018', '79460018'],
    ['(0) 0(0)1234', '1234', null],
    ['+３５１\u3000（９２０）－０００．０００／１', '3519200000001', '00000001'],
    ['\u202a920–000−000\u202c', '920000000', '20000000'],
    ['0001234567', '1234567', null],
    ['12345678', '12345678', '12345678'],
    ['0001', null, null],
    ['0123', null, null],
    ['12 (0)3', null, null],
    ['1234,5', null, null],
    ['1234x', null, null],
    ['+ - ( )', null, null],
  ])('reads the phone of %j', (text, phone, phone_end) => {
    expect(searchTermsOf(text)).toMatchObject({ phone, phone_end })
  })

  it('looks for a phone as words, unless they are too many', () => {
    expect(searchTermsOf('6 0 0 1 2').words).toHaveLength(5)
    expect(searchTermsOf('6 0 0 1 2 3').words).toEqual([])
    expect(searchTermsOf('６００１').words).toEqual([{ folded: '6001', typed: '６００１' }])
  })

  it.each([
    ['José', 'jose'],
    ['ada,', 'ada'],
    ['\u202aADA@BÜ\u202c', 'ada@bu'],
    ['o`brien', 'o`brien'],
    ['a b', null],
    ['a,b', null],
  ])('looks for the beginning of emails of %j', (text, start) => {
    expect(searchTermsOf(text).start).toBe(start)
  })
})

describe('isSearch', () => {
  it.each([
    ['a b c d e', true],
    ['a b c d e f', false],
    ['a,b,c,d,e,f', false],
    ['6 0 0 1 2 3', true],
    ['0 0 0 1 2 3', false],
    [',\u200b·', false],
  ])('is, for %j, %s', (text, expected) => {
    expect(isSearch(text)).toBe(expected)
  })
})

describe('foldName', () => {
  it('keeps the first 255 characters of what a name becomes', () => {
    expect(foldName('ﷺ'.repeat(255))).toHaveLength(255)
    expect(foldName('😀'.repeat(255))).toBe('😀'.repeat(255))
    expect(foldName(`${'ﬁ'.repeat(127)}xy`)).toBe(`${'fi'.repeat(127)}x`)
  })
})

describe('The folded columns of a user', () => {
  const store = useStore()

  const foldedOf = async (id: string | number) => {
    const { name_folded, last_name_folded, email_folded } = await userRow(store, id)
    return [name_folded, last_name_folded, email_folded]
  }
  const digitsOf = async (id: string | number) => (await userRow(store, id)).phone_digits
  const send = (method: string, path: string, body: unknown) =>
    call(method, `/v1/stores/${store.id}/users${path}`, { token: store.token, body })
  const batch = async (on_existing: string, ...items: object[]) =>
    (await send('POST', '/batch', { on_existing, items })).json.results.map(({ id }: any) => id)

  it.each([
    ['v1', createV1, v1User],
    ['v3', createV3, v3User],
  ])('follow the fields of a create on %s', async (_, create, body) => {
    const { json } = await create(store, body({ name: 'José', last_name: 'GARCÍA' }))
    expect(await foldedOf(json.id)).toEqual(['jose', 'garcia', null])
    const email = newEmail().replace('@example', '@BÜCHER')
    const { json: other } = await create(store, body({ email }))
    expect((await foldedOf(other.id))[2]).toBe(email.toLowerCase().replace('ü', 'u'))
  })

  it('follow each field that a PATCH sets, and only that', async () => {
    const { json } = await createV1(store, v1User({ name: 'José', last_name: 'García' }))
    await send('PATCH', `/${json.id}`, { phone: '1' })
    expect(await foldedOf(json.id)).toEqual(['jose', 'garcia', null])
    await send('PATCH', `/${json.id}`, { name: 'Álvaro' })
    expect(await foldedOf(json.id)).toEqual(['alvaro', 'garcia', null])
    await send('PATCH', `/${json.id}`, { last_name: 'Núñez', external_id: 'x' })
    expect(await foldedOf(json.id)).toEqual(['alvaro', 'nunez', null])
    await send('PATCH', `/${json.id}`, { email: `x${json.id}@españa.es`, external_id: 'y' })
    expect(await foldedOf(json.id)).toEqual(['alvaro', 'nunez', `x${json.id}@espana.es`])
    await send('PATCH', `/${json.id}`, { name: 'Ángel' })
    expect(await foldedOf(json.id)).toEqual(['angel', 'nunez', `x${json.id}@espana.es`])
    await send('PATCH', `/${json.id}`, { email: newEmail() })
    expect(await foldedOf(json.id)).toEqual(['angel', 'nunez', null])
  })

  it('follow the fields of a batch, for new users and for those that it updates', async () => {
    const email = `ana-${crypto.randomUUID()}@españa.es`
    const [id] = await batch('fail', { name: 'Ánà', last_name: 'Ñ', email })
    expect(await foldedOf(id)).toEqual(['ana', 'n', email.replace('ñ', 'n')])
    await batch('skip', { name: 'Other', last_name: 'Other', email })
    expect(await foldedOf(id)).toEqual(['ana', 'n', email.replace('ñ', 'n')])
    await batch('update', { name: 'Zoë', last_name: 'Ñandú', email: email.replace('españa', 'xn--espaa-rta') })
    expect(await foldedOf(id)).toEqual(['zoe', 'nandu', null])
  })

  it('hold the digits of the phone after a create, a PATCH and a batch', async () => {
    for (const [create, body] of [
      [createV1, v1User],
      [createV3, v3User],
    ] as const) {
      const { json } = await create(store, body({ phone: '+34 (600) 12-34.56 ext. x' }))
      expect(await digitsOf(json.id)).toBe('34600123456')
    }
    const { json: wide } = await createV1(store, v1User({ phone: '＋３５１\u3000９２０' }))
    expect(await digitsOf(wide.id)).toBe('351920')
    const { json } = await createV1(store, v1User())
    expect(await digitsOf(json.id)).toBeNull()
    for (const [fields, digits] of [
      [{ phone: '+1 2' }, '12'],
      [{ name: 'Ada' }, '12'],
      [{ phone: 'none' }, ''],
      [{ phone: null }, null],
    ] as const) {
      await send('PATCH', `/${json.id}`, fields)
      expect(await digitsOf(json.id)).toBe(digits)
    }
    const { email } = json
    const [id] = await batch('fail', v1User({ phone: '1-2' }))
    expect(await digitsOf(id)).toBe('12')
    for (const [fields, digits] of [
      [{ phone: '3-4' }, '34'],
      [{ external_id: 'x' }, '34'],
    ] as const) {
      await batch('update', v1User({ email, ...fields }))
      expect(await digitsOf(json.id)).toBe(digits)
    }
  })

  it('do not show in a response or an event', async () => {
    const { json, text } = await createV1(store, v1User({ name: 'José' }))
    const changed = await send('PATCH', `/${json.id}`, { name: 'JOSÉ' })
    const history = await call('GET', `/v1/stores/${store.id}/users/${json.id}/events`, { token: store.token })
    expect(history.json.data[0].data.fields).toEqual(['name'])
    for (const shown of [text, changed.text, history.text]) expect(shown).not.toMatch(/folded|digits/)
  })
})
