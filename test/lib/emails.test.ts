import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emailKey } from '../../src/lib/emails.ts'

describe('emailKey', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada.Lovelace@EXAMPLE.Com', 'ada.lovelace@example.com'],
    ['a@b.c', 'a@b.c'],
    ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
    ['ada+tag@example.com', 'ada+tag@example.com'],
    ['0@0.example', '0@0.example'],
    ['ada@xn--bcher-kva.de', 'ada@xn--bcher-kva.de'],
    ['ada@XN--BCHER-KVA.de', 'ada@xn--bcher-kva.de'],
    ['ada@bücher.de', 'ada@xn--bcher-kva.de'],
    ['ada@bu\u0308cher.de', 'ada@xn--bcher-kva.de'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@a-b.example', 'ada@a-b.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`ada@${'a'.repeat(63)}.example`, `ada@${'a'.repeat(63)}.example`],
  ])('of %s is %s', (email, key) => {
    expect(emailKey(email)).toBe(key)
  })

  it.each([
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'ada@a@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'a b@example.com',
    ' ada@example.com',
    'ada@example.com ',
    'ada@example.com\n',
    'ada@exa mple.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa_mple.com',
    'ada@example.com/path',
    'ada@example.com:25',
    'ada@example.com?q',
    'ada@example.com#f',
    'ada@user:pass@example.com',
    String.raw`ada@example.com\x`,
    'ada@ex%61mple.com',
    'ada@exam\tple.com',
    'ada@exam\u00adple.com',
    '"ada"@example.com',
    String.raw`"a\"b"@example.com`,
    'ada(comment)@example.com',
    'Ada <ada@example.com>',
    'ada@[127.0.0.1]',
    'ada@[IPv6:::1]',
    'ada@127.0.0.1',
    'ada@0x7f.1',
    'ada@2130706433',
    'ada@example.1',
    'ada@example.0x1',
    'ádá@example.com',
    '\u212aelvin@example.com',
    'ada\u0000@example.com',
    'ada@example\u3002com',
    `ada@${'a'.repeat(64)}.example`,
    `ada@${'a.'.repeat(126)}example`,
    'ada@😀.example',
  ])('of %j is undefined', (email) => {
    expect(emailKey(email)).toBeUndefined()
  })

  it('keeps dots and tags of the local part', () => {
    expect(emailKey('a.da@example.com')).not.toBe(emailKey('ada@example.com'))
    expect(emailKey('ada+x@example.com')).not.toBe(emailKey('ada@example.com'))
  })
})

describe('The key of a plain ASCII domain', () => {
  const label = fc.stringMatching(/^[A-Za-z0-9-]{1,5}$/)
  const lastLabel = fc.oneof(label, fc.constantFrom('0x1f', '0X', '1', 'x1', 'com', 'co-'))

  it('equals the result of the URL parser, or is undefined', () => {
    const domain = fc.tuple(fc.array(label, { minLength: 1, maxLength: 4 }), lastLabel)
    const property = fc.property(domain, ([labels, last]) => {
      const name = [...labels, last].join('.')
      return [undefined, `ada@${URL.parse(`https://${name}`)?.hostname}`].includes(emailKey(`ada@${name}`))
    })
    expect(() => fc.assert(property, { numRuns: 2000 })).not.toThrow()
  })
})
