import { describe, expect, it } from 'vitest'
import { findUrlProblem } from '../../../src/modules/webhooks/urls.ts'

const atHome = { isLocal: true }
const away = { isLocal: false }

describe('findUrlProblem', () => {
  it.each([
    'https://crm.example.com/hooks?tenant=7#top',
    'https://crm.example.com',
    'HTTPS://CRM.EXAMPLE.COM:8443/',
    'https://bücher.example/',
    'https://crm.example.com./',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://local.example/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://9.255.255.255/',
    'https://11.0.0.0/',
    'https://100.63.255.255/',
    'https://100.128.0.0/',
    'https://126.255.255.255/',
    'https://128.0.0.0/',
    'https://169.253.255.255/',
    'https://169.255.0.0/',
    'https://172.15.255.255/',
    'https://172.32.0.0/',
    'https://192.0.1.0/',
    'https://192.167.255.255/',
    'https://192.169.0.0/',
    'https://198.17.255.255/',
    'https://198.20.0.0/',
    'https://223.255.255.255/',
    'https://[2606:4700::1111]/',
    'https://[2001:200::1]/',
    'https://[2003::1]/',
    'https://[3fff:1000::1]/',
    'https://[2001:db7:ffff::1]/',
    'https://[2001:db9::1]/',
    'https://192.0.3.0/',
    'https://198.51.99.255/',
    'https://198.51.101.0/',
    'https://203.0.112.255/',
    'https://203.0.114.0/',
    'https://192.88.98.255/',
    'https://[2000::]/',
    'https://[3ffe:ffff::1]/',
  ])('accepts %s', (url) => {
    expect(findUrlProblem(url, away)).toBeUndefined()
    expect(findUrlProblem(url, atHome)).toBeUndefined()
  })

  it.each([
    '',
    'crm.example.com',
    '/hooks',
    '//crm.example.com/',
    'https://',
    'https://crm.exa mple.com/',
    'https://[::1/',
  ])('returns no_url for %j', (url) => {
    expect(findUrlProblem(url, away)).toBe('no_url')
  })

  it.each([' ', '\t', '\n', '\u00a0', '\u2028', '\u0000'])('returns blanks for %j around the URL', (blank) => {
    for (const url of [`${blank}https://crm.example.com/`, `https://crm.example.com/${blank}`])
      expect(findUrlProblem(url, away)).toBe('blanks')
  })

  it.each(['\t', '\r', '\n'])('rejects %j inside the URL, which a parser would drop', (blank) => {
    expect(findUrlProblem(`https://crm.exam${blank}ple.com/`, away)).toBeDefined()
  })

  it.each([
    'http://crm.example.com/',
    'ftp://crm.example.com/',
    'ws://crm.example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:alert(1)',
    'crm.example.com:443/hooks',
    'blob:https://crm.example.com/x',
  ])('returns not_https for %s', (url) => {
    expect(findUrlProblem(url, away)).toBe('not_https')
    expect(findUrlProblem(url, atHome)).toBe('not_https')
  })

  it.each(['https://a@crm.example.com/', 'https://:b@crm.example.com/', 'https://a:b@localhost/'])(
    'returns credentials for %s',
    (url) => {
      expect(findUrlProblem(url, atHome)).toBe('credentials')
    },
  )

  it.each(
    [
      // These are this network, private use, shared, loopback, link-local, IETF, benchmarks, multicast and reserved.
      ['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
      ['127.0.0.0', '127.0.0.2', '127.255.255.255', '169.254.0.0', '169.254.169.254', '172.16.0.0'],
      ['172.31.255.255', '192.0.0.0', '192.0.0.255', '192.168.0.0', '192.168.255.255', '198.18.0.0'],
      // These are documentation ranges and 6to4 relays.
      ['192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255', '192.88.99.1'],
      ['[2001:db8::]', '[2001:db8:ffff:ffff:ffff:ffff:ffff:ffff]', '[3fff::1]', '[3fff:fff:ffff::1]', '[5f00::1]'],
      ['198.19.255.255', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
      // These are 10.0.0.1, 127.1.2.3, 169.254.169.254 and 192.168.0.1 in decimal, hex, octal, short and mixed form.
      ['167772161', '0xa000001', '0x0A.0.0.1', '012.0.0.1', '10.1', '10.0.1', '0xa.1', '01200000001'],
      ['2130772483', '0x7f.1.2.3', '0177.1.2.3', '127.66051', '2852039166', '0xA9FEA9FE', '0251.0376.0251.0376'],
      ['3232235521', '192.168.1', '0xc0a80001', '10.0.0.1.', '%31%30.0.0.1', '１０.0.0.1', '10。0。0。1'],
      // These are unspecified, loopback, v4-mapped, NAT64, discard, unique local, link-local, site-local and multicast.
      ['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:10.0.0.1]', '[::ffff:8.8.8.8]', '[::ffff:7f00:1]'],
      ['[0:0:0:0:0:ffff:a9fe:a9fe]', '[::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::1]', '[100::1]'],
      ['[fc00::1]', '[fd12:3456::1]', '[FD00::1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[ff02::1]', '[4000::1]'],
      // These are Teredo, its neighbors and 6to4.
      ['[2001::1]', '[2001:0:a00:1::]', '[2001:1ff::1]', '[2002:a00:1::]', '[2002:7f00:1::1]'],
      // The public DNS does not know these names.
      [
        'localhost.',
        'LOCALHOST.',
        'localhost..',
        '127.0.0.1..',
        'app.localhost',
        'printer.local',
        'printer.LOCAL.',
        'db.internal',
        'db.internal.',
      ],
      ['metadata.google.internal', 'nas.home.arpa', 'intranet', 'intranet.', 'ｌｏｃａｌｈｏｓｔ.'],
    ].flat(),
  )('returns not_public for the host %s in every environment', (host) => {
    expect(findUrlProblem(`https://${host}/`, away)).toBe('not_public')
  })

  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', '127.1', '0x7f000001', '2130706433', '[0:0::1]'])(
    'accepts %s over http and https only in a local environment',
    (host) => {
      for (const scheme of ['http', 'https']) {
        expect(findUrlProblem(`${scheme}://${host}:8080/hooks`, atHome)).toBeUndefined()
        expect(findUrlProblem(`${scheme}://${host}:8080/hooks`, away)).toBeDefined()
      }
    },
  )

  it.each(['127.0.0.2', '10.0.0.1', '[::ffff:127.0.0.1]', 'app.localhost', 'localhost.', 'host.docker.internal'])(
    'does not treat %s as the local machine',
    (host) => {
      expect(findUrlProblem(`https://${host}/`, atHome)).toBe('not_public')
      expect(findUrlProblem(`http://${host}/`, atHome)).toBe('not_https')
    },
  )
})
