import assert from 'node:assert/strict'
import { cleanText } from '../clean-text.ts'
import { after, afterEach, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { RegistrarError } from 'registrar-client'
import { MAX_BATCH_BYTES } from '../../../src/limits.ts'
import { Refused } from '../request-errors.ts'
import { Crash, csvOf, importText, type Kept, people } from './memory.ts'
import { type FakeService, type Fault, OPERATOR_TOKEN, startService, WORDS } from './service.ts'

let service: FakeService

before(async () => {
  service = await startService()
})
afterEach(() => service.reset())
after(() => service.stop())

const HEADER = ['name', 'last_name', 'email']

describe('An import', () => {
  it('sends every row once in batches of a hundred', async () => {
    const { created, existing, failed } = await importText(service, people(250))
    assert.deepEqual([created, existing, failed], [250, 0, 0])
    assert.deepEqual(
      service.batches.map(({ items }) => items.length),
      [100, 100, 50],
    )
    const teams = service.users.slice(0, 2).map((user) => user['custom_fields'])
    assert.deepEqual(teams, [{ team: 7 }, { team: 'red' }])
    assert.equal(service.batches[0]?.path, '/v1/stores/demo/users/batch')
  })

  it('fills each batch up to ten passwords', async () => {
    const rows = Array.from({ length: 25 }, (_, i) => ['A', 'B', `p${i}@example.com`, 'correct horse'])
    await importText(service, csvOf([...HEADER, 'password'], rows))
    assert.deepEqual(
      service.batches.map(({ items }) => items.length),
      [10, 10, 5],
    )
  })

  it('ends a batch before an email that it contains already, and not before that of an earlier batch', async () => {
    const rows = ['a', 'b', 'a', 'b'].map((name) => ['A', 'B', `${name}@example.com`])
    await importText(service, csvOf(HEADER, rows), { onExisting: 'skip' })
    assert.deepEqual(
      service.batches.map(({ items }) => items.length),
      [2, 2],
    )
  })

  it('takes few requests for a file with a row for each access, and reports each row', async () => {
    const rows = Array.from({ length: 180 }, (_, i) => {
      const [person, product] = [Math.floor(i / 3), ['algebra', 'engines', 'logic'][i % 3] ?? '']
      return ['A', 'B', person === 7 ? 'no address' : `a${person}@example.com`, product]
    })
    const kept: Kept = { state: undefined, failed: '' }
    const state = await importText(service, csvOf([...HEADER, 'product'], rows), { onExisting: 'update', kept })
    assert.deepEqual([state.created, state.existing, state.failed, state.effects.granted], [59, 118, 3, 0])
    const sent = service.batches.filter(({ dry_run }) => !dry_run)
    assert.deepEqual(
      sent.map(({ items }) => items.length),
      [59, 59, 59],
    )
    assert.equal(service.accesses.length, 177)
    assert.deepEqual(linesOf(kept.failed), ['23', '24', '25'])
  })

  it('calls the operator API with a token of an operator', async () => {
    await importText(service, people(1), { token: OPERATOR_TOKEN })
    assert.equal(service.batches[0]?.path, '/admin/stores/demo/users/batch')
  })

  it('omits empty cells and turns the columns of products into accesses', async () => {
    const header = [...HEADER, 'phone', 'product', 'product_status', 'product_due_date', 'custom_fields']
    const rows = [
      ['A', 'B', 'a@example.com', '', 'algebra', '', '', '{"team":"7"}'],
      ['A', 'B', 'b@example.com', '', 'algebra|engines logic', 'without_access', '2027-01-31T23:59:59Z||none', ''],
    ]
    await importText(service, csvOf(header, rows, ';'))
    assert.deepEqual(service.batches[0]?.items, [
      {
        name: 'A',
        last_name: 'B',
        email: 'a@example.com',
        custom_fields: { team: '7' },
        product_accesses: [{ slug: 'algebra' }],
      },
      {
        name: 'A',
        last_name: 'B',
        email: 'b@example.com',
        product_accesses: [
          { slug: 'algebra', status: 'without_access', access_due_date: '2027-01-31T23:59:59Z' },
          { slug: 'engines', status: 'without_access' },
          { slug: 'logic', status: 'without_access', access_due_date: null },
        ],
      },
    ])
  })

  it('reports each failed row with its line and all reasons, with the names of the columns', async () => {
    const header = [...HEADER, 'land', 'custom_fields.nope', 'product', 'product_status', 'product_due_date']
    const rows = [
      ['A', 'multi\r\nline', 'no.address', 'Spanien', '', '', '', ''],
      ['A', 'B', 'b@example.com', 'ES', 'x', 'algebra|nope', 'with_access|sometimes', ''],
      ['A', 'B', 'c@example.com', 'ES', '', 'algebra', '', '1|2'],
      ['A', '', 'd@example.com', 'ES', '', '', '', ''],
      ['A', 'B', 'good@example.com', 'ES', '', '', '', ''],
    ]
    const kept: Kept = { state: undefined, failed: '' }
    const state = await importText(service, csvOf(header, rows), { kept, rename: { land: 'country' } })
    assert.deepEqual([state.created, state.failed], [1, 4])
    assert.equal(
      kept.failed,
      [
        'name,last_name,email,land,custom_fields.nope,product,product_status,product_due_date,_line,_errors',
        `A,"multi\r\nline",no.address,Spanien,,,,,2,email: ${WORDS}; land: ${WORDS}`,
        `A,B,b@example.com,ES,x,algebra|nope,with_access|sometimes,,4,product_status: nope: ${WORDS}; custom_fields.nope: ${WORDS}; product: nope: ${WORDS}`,
        'A,B,c@example.com,ES,,algebra,,1|2,5,product_due_date: has 2 values for 1 products',
        'A,,d@example.com,ES,,,,,6,last_name: is missing',
        '',
      ].join('\r\n'),
    )
  })

  it('reports all faults of a row at once, of whatever kind they are', async () => {
    const header = [...HEADER, 'country', 'custom_fields.nope', 'product', 'product_due_date']
    const rows = [
      ['A', 'B', 'taken@example.com', '', '', '', ''],
      ['', '', 'no.address', 'Atlantis', 'x', 'nope|algebra', '2027-02-30'],
      ['', 'B', 'TAKEN@example.com', 'Atlantis', '', '', ''],
      ['', 'B', 'c@example.com', '', '', 'Lógica 1', ''],
    ]
    const products = [{ name: 'Algebra', slug: 'algebra' }]
    for (const dryRun of [true, false]) {
      const kept: Kept = { state: undefined, failed: '' }
      await importText(service, csvOf(header, rows), { kept, dryRun, products })
      const [, ...lines] = kept.failed.trim().split('\r\n')
      const reasons = lines.map((line) => [...line.matchAll(/(?:"|,\d,|; )([\w.]+): /g)].map(([, column]) => column))
      assert.deepEqual(reasons, [
        ['product_due_date', 'name', 'last_name', 'email', 'country', 'custom_fields.nope', 'product'],
        ['name', 'country', 'email'],
        ['product', 'name'],
      ])
      assert.match(lines[1] ?? '', /email: is repeated in row 2 of this file/)
      assert.match(
        lines[2] ?? '',
        /product: Lógica 1: the store has no product with this name or slug|product: the store/,
      )
    }
  })

  it('does not call the email of a faulty row taken because another faulty row has it, with skip and update', async () => {
    const header = [...HEADER, 'product', 'product_due_date']
    const rows = ['A', 'B'].map((name) => [name, 'B', 'twice@example.com', 'algebra', '2027-02-30'])
    for (const onExisting of ['skip', 'update'] as const) {
      const kept: Kept = { state: undefined, failed: '' }
      const { failed } = await importText(service, csvOf(header, rows), { kept, onExisting })
      assert.equal(failed, 2)
      assert.doesNotMatch(kept.failed, /email: /)
    }
  })

  it('accepts its corrected file of failed rows unchanged', async () => {
    const kept: Kept = { state: undefined, failed: '' }
    await importText(
      service,
      `${csvOf(HEADER, [
        ['A', 'B', 'a@'],
        ['C', 'D', 'd@'],
      ])}\r\n`,
      { kept },
    )
    const again: Kept = { state: undefined, failed: '' }
    const { created } = await importText(service, kept.failed.replace('a@', 'a@example.com'), { kept: again })
    assert.equal(created, 1)
    assert.equal(again.failed, `name,last_name,email,_line,_errors\r\nC,D,d@,3,email: ${WORDS}\r\n`)
  })

  it('disarms what a spreadsheet would run as a formula, and reads it as the first file', async () => {
    const cells = ['+34 600', '=1+1', "'=x", "''", '-', 'a,-b;@c', 'a\r\n\t=d', "o'clock", 'x\t=y', "a;'+"]
    const rows = cells.map((cell) => [cell, 'B', 'nobody', cell])
    const kept: Kept = { state: undefined, failed: '' }
    await importText(service, csvOf([...HEADER, '=z'], rows), { kept, rename: { '=z': 'phone' } })
    const written = kept.failed
    assert.doesNotMatch(written, /(^|[\n\r;\t,"])[=+\-@\t]/)
    assert.match(written, /^name,last_name,email,'=z,_line,_errors\r\n'\+34 600,B,nobody,'\+34 600,2,email: /)
    const again: Kept = { state: undefined, failed: '' }
    const corrected = written.replaceAll('B,nobody', () => `B,${crypto.randomUUID()}@example.com`)
    const { created } = await importText(service, corrected, { kept: again, rename: { '=z': 'phone' } })
    assert.equal(created, cells.length)
    const read = cells.map((cell) => cleanText('phone', cell))
    assert.deepEqual([read[2], read[7]], ['=x', "o'clock"])
    const users = service.users.filter(({ phone }) => read.includes(String(phone)))
    assert.deepEqual(
      users.map(({ name, phone }) => [name, phone]),
      read.map((cell) => [cell, cell]),
    )
  })

  it('keeps a row that is too long or too short as it is, so that it fails again until it is corrected', async () => {
    const rows = [
      ['A', 'B', 'a@example.com', '456', 'crm-9'],
      ['C', 'D'],
    ]
    const kept: Kept = { state: undefined, failed: '' }
    await importText(service, csvOf([...HEADER, 'phone'], rows), { kept })
    const lines = [
      'name,last_name,email,phone,_line,_errors',
      'A,B,a@example.com,456,crm-9,2,"the row has 5 values, the header 4"',
      'C,D,3,"the row has 2 values, the header 4"',
      '',
    ]
    assert.equal(kept.failed, lines.join('\r\n'))

    const again: Kept = { state: undefined, failed: '' }
    const { created, failed } = await importText(service, kept.failed, { kept: again })
    assert.deepEqual([created, failed], [0, 2])
    assert.match(again.failed, /^A,B,a@example\.com,456,crm-9,2,"the row has 7 values, the header 6"\r$/m)
  })

  it('takes dates and times without a zone for those of the store', async () => {
    const dates = [
      ['2027-12-31', '2028-01-01T02:59:59.999Z'],
      ['2027-12-31T18:00:00', '2027-12-31T21:00:00.000Z'],
      ['2027-12-31T18:00:00Z', '2027-12-31T18:00:00Z'],
    ]
    const rows = dates.map(([date = ''], i) => ['A', 'B', `d${i}@example.com`, 'algebra', date])
    const { TZ } = process.env
    // The zone of the machine must not matter.
    process.env.TZ = 'Asia/Kolkata'
    try {
      await importText(service, csvOf([...HEADER, 'product', 'product_due_date'], rows), { zone: 'America/Sao_Paulo' })
    } finally {
      if (TZ === undefined) delete process.env.TZ
      else process.env.TZ = TZ
    }
    assert.deepEqual(
      service.batches[0]?.items.map((item) => item['product_accesses']),
      dates.map(([, access_due_date]) => [{ slug: 'algebra', access_due_date }]),
    )
  })

  it('reads NDJSON and writes its failed rows as NDJSON', async () => {
    const kept: Kept = { state: undefined, failed: '' }
    const rows = [
      '{"name":"A","last_name":"B","email":"a@example.com","custom_fields":{"team":1.50}}',
      '{"name":"A","email":"x","phone":null}',
    ]
    const state = await importText(service, rows.join('\n'), { kept })
    assert.deepEqual([state.created, state.failed], [1, 1])
    assert.equal(
      kept.failed,
      `{"name":"A","email":"x","phone":null,"_line":2,"_errors":["last_name: is missing","email: ${WORDS}"]}\n`,
    )
  })

  it('sends at most ten passwords per batch, and sends those beyond the quota again', async () => {
    let left = 15
    service.itemFault = ({ password }) => {
      if (password === undefined || left-- > 0) return undefined
      left = 20
      return 429
    }
    const rows = Array.from({ length: 25 }, (_, i) => ['A', 'B', `p${i}@example.com`, 'correct horse'])
    service.fault = (_, index) => (index === 0 ? [429, 0] : undefined)
    const { created, failed } = await importText(service, csvOf([...HEADER, 'password'], rows))
    assert.deepEqual([created, failed, service.users.length], [25, 0, 25])
  })

  it('reports a row for which the service fails repeatedly, and continues', async () => {
    const kept: Kept = { state: undefined, failed: '' }
    const rows = [...HEADER.keys()].map((i) => [i === 1 ? 'Trouble' : 'A', 'B', `t${i}@example.com`])
    service.itemFault = ({ name }) => (name === 'Trouble' ? 500 : undefined)
    const { created, failed } = await importText(service, csvOf(HEADER, rows), { kept, itemPauseMs: 1 })
    assert.deepEqual([created, failed, service.batches.length], [2, 1, 5])
    assert.match(kept.failed, new RegExp(`Trouble,B,t1@example.com,3,${WORDS}`))
  })

  it('splits large rows into bodies of at most 1 MiB', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ['A', 'é'.repeat(50_000), `big${i}@example.com`])
    const { failed } = await importText(service, csvOf(HEADER, rows))
    const sizes = service.batches.filter(({ dry_run }) => !dry_run).map(({ bytes }) => bytes)
    assert.deepEqual([failed, sizes.length, Math.max(...sizes) <= MAX_BATCH_BYTES], [30, 3, true])
  })

  it('rejects a token without users:read before anything is sent', async () => {
    service.scopes = ['users:write']
    await assert.rejects(importText(service, people(1)), { name: 'Refused', message: /lacks the scope users:read/ })
    assert.equal(service.batches.length, 0)
  })

  it('stops when the whole batch is rejected', async () => {
    service.fault = () => [403]
    await assert.rejects(importText(service, people(1)), { name: 'Refused', message: /returned 403 fault/ })
  })

  it('names Cloudflare when Cloudflare rejects a request', () => {
    const given = { status: 403, code: 'unreadable', message: '403 Forbidden' }
    assert.match(
      new Refused(new RegistrarError({ ...given, ray: '8f-LIS' })).message,
      /^Cloudflare .* \(CF-Ray: 8f-LIS\)/,
    )
    assert.equal(new Refused(new RegistrarError(given)).message, 'The service returned 403 unreadable: 403 Forbidden')
  })

  it('gives up when the service is not available for too long, and can continue later', async () => {
    const kept: Kept = { state: undefined, failed: '' }
    service.fault = (_, index) => (index > 0 ? [503] : undefined)
    await assert.rejects(importText(service, people(300), { kept, giveUpAfterMs: 50 }), { name: 'GaveUp' })
    service.fault = () => undefined
    const { created } = await importText(service, people(300), { kept })
    assert.deepEqual([created, service.users.length], [300, 300])
  })

  it('waits as long as Retry-After requests', async () => {
    service.fault = (_, index) => (index === 0 ? [429, 1] : undefined)
    const start = performance.now()
    await importText(service, people(1))
    assert.ok(performance.now() - start >= 990)
  })
})

describe('Rows with an existing email', () => {
  const rows = (count: number): string[][] =>
    Array.from({ length: count }, (_, i) => ['A', `B${i}`, `a${i % 3}@example.com`])

  it('fail with --on-existing fail, stay unchanged with skip and are updated with update', async () => {
    const outcomes = []
    for (const onExisting of ['fail', 'skip', 'update'] as const) {
      service.clear()
      const { created, existing, failed } = await importText(service, csvOf(HEADER, rows(6)), { onExisting })
      outcomes.push([created, existing, failed, service.users[0]?.['last_name']])
    }
    assert.deepEqual(outcomes, [
      [3, 0, 3, 'B0'],
      [3, 3, 0, 'B0'],
      [3, 3, 0, 'B3'],
    ])
  })

  it('have the results that a dry run predicted', async () => {
    const address = fc.integer({ min: 0, max: 250 }).map((n) => (n === 0 ? 'none' : `A${n}@Example.com`))
    const row = fc.tuple(fc.constantFrom('A', ''), fc.constant('B'), address, fc.constantFrom('ES', 'x', ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 350 }),
        fc.array(address, { maxLength: 20 }),
        fc.constantFrom('fail' as const, 'skip' as const, 'update' as const),
        async (rows, there, onExisting) => {
          service.clear()
          await importText(
            service,
            csvOf(
              HEADER,
              there.map((email) => ['Z', 'Z', email.toLowerCase()]),
            ),
          )
          const text = csvOf([...HEADER, 'country'], rows)
          const [dry, real]: Kept[] = [
            { state: undefined, failed: '' },
            { state: undefined, failed: '' },
          ]
          const before = service.users.length
          const predicted = await importText(service, text, { onExisting, dryRun: true, ...(dry && { kept: dry }) })
          assert.equal(service.users.length, before)
          const { created, existing, failed } = await importText(service, text, {
            onExisting,
            ...(real && { kept: real }),
          })
          assert.deepEqual([predicted.created, predicted.existing, predicted.failed], [created, existing, failed])
          assert.deepEqual(linesOf(dry?.failed), linesOf(real?.failed))
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('An import with faults and crashes', () => {
  /** The file has new users, an existing one, repeated rows and an invalid one. */
  const content = `${people(230)}\r\nA,B,user3@example.com,\r\nA,B,there@example.com,\r\nA,B,no.address,\r\nTwin,T,twin@example.com,\r\nTwin,T,twin@example.com,`
  const fault = fc.constantFrom<Fault>('lost', 'reset', 'garbled', [503, 0], [429, 0], [500], [502], undefined)

  it('creates each user once and reports each row correctly, whatever is lost and wherever it crashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 12 }),
        fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 4 }),
        fc.constantFrom('fail' as const, 'skip' as const),
        async (faults, crashes, onExisting) => {
          service.reset()
          await importText(service, csvOf(HEADER, [['A', 'B', 'there@example.com']]))
          service.fault = () => faults.shift()
          const kept: Kept = { state: undefined, failed: '' }
          for (const crashAfter of crashes) {
            await assert
              .rejects(importText(service, content, { kept, crashAfter, onExisting }), Crash)
              .catch((error: unknown) => {
                // The run may be done before it crashes. The next run then finds all of its rows done.
                if (!(error instanceof assert.AssertionError)) throw error
              })
          }
          const state = await importText(service, content, { kept, onExisting })
          const isFail = onExisting === 'fail'
          assert.deepEqual([state.created, state.existing, state.failed], isFail ? [231, 0, 4] : [231, 3, 1])
          assert.deepEqual(linesOf(kept.failed), isFail ? ['232', '233', '234', '236'] : ['234'])
          assert.equal(service.users.length, 232)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('An import of many rows for each person, with faults and crashes', () => {
  const fault = fc.constantFrom<Fault>('lost', 'reset', 'garbled', [503, 0], undefined)
  const rows = Array.from({ length: 210 }, (_, i) => {
    const [person, product] = [Math.floor(i / 3), ['algebra', 'engines', 'logic'][i % 3] ?? '']
    return ['A', 'B', person === 50 ? 'no.address' : `a${person}@example.com`, product]
  })

  it('creates each person once, grants each access, and reports each row once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 10 }),
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
        async (faults, crashes) => {
          service.reset()
          service.fault = () => faults.shift()
          const kept: Kept = { state: undefined, failed: '' }
          const content = csvOf([...HEADER, 'product'], rows)
          for (const crashAfter of crashes)
            await importText(service, content, { kept, crashAfter, onExisting: 'update' }).catch((error: unknown) => {
              if (!(error instanceof Crash)) throw error
            })
          const { created, existing, failed } = await importText(service, content, { kept, onExisting: 'update' })
          assert.deepEqual([created, existing, failed], [69, 138, 3])
          assert.deepEqual(linesOf(kept.failed), ['152', '153', '154'])
          assert.deepEqual([service.users.length, service.accesses.length], [69, 207])
        },
      ),
      { numRuns: 8 },
    )
  })
})

/** Returns the lines in a file of failed rows; no row contains a line break. */
function linesOf(failed = ''): string[] {
  const [header = '', ...lines] = failed.split('\r\n')
  const column = header.split(',').indexOf('_line')
  return lines.filter((line) => line !== '').map((line) => line.split(',')[column] ?? '')
}
