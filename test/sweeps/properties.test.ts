/** These rules hold for any input, so each test checks them on some hundred generated values. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDateTime, parseDateTime } from '../../src/lib/date-time.ts'
import { emailKey } from '../../src/lib/emails.ts'
import { jsonText } from '../../src/lib/json.ts'
import type { Answer } from '../support/openapi.ts'
import {
  createV1,
  createV3,
  newAccess,
  newEmail,
  newStore,
  summary,
  updateAccess,
  v1User,
  v3User,
  WITHOUT_QUOTA,
} from '../support/api.ts'
import { defineField, userRow } from '../support/rows.ts'
import { REQUEST_RUNS } from '../support/runs.ts'

const REQUESTS = { numRuns: REQUEST_RUNS }
const VALUES = { numRuns: 500 }

/** Generates text of at most `maxLength` code points, some of it with the characters that the API rejects. */
function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.string({ unit: 'binary', maxLength }),
      fc.string({ unit: 'grapheme', maxLength }),
      fc.string({ unit: 'grapheme-ascii', maxLength }),
      fc.constantFrom('\u0000', ' ', '\u2003', '\u2028', '\ufeff', '\ud83d', "';--", '${x}', '%00', '\\u0041', '\r\n'),
    )
    .filter((text) => Array.from(text).length <= maxLength)
}

function isAccepted(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function isBlank(text: string): boolean {
  return /^\p{White_Space}*$/u.test(text)
}

const scalar = fc.oneof(
  anyText(100).filter(isAccepted),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)

const hostileKeys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '10',
  '9',
  '-1',
  'a.b',
  '__defineGetter__',
  'Field1',
]

describe('Any text', () => {
  it('that v1 accepts is returned and stored as it was sent', async () => {
    const store = await newStore()
    // Errors list the fields in this order, which is the one of the documented table.
    const fields = {
      name: anyText(20),
      last_name: anyText(20),
      phone: anyText(20),
      external_id: anyText(20),
      avatar: anyText(20),
    }
    await fc.assert(
      fc.asyncProperty(fc.record(fields), async (texts) => {
        const created = await createV1(store, v1User(texts))
        const invalid = Object.entries(texts)
          .filter(([field, text]) => !isAccepted(text) || (field.endsWith('name') && isBlank(text)))
          .map(([field]) => field)
        expect(summary(created)).toBe(invalid.length > 0 ? `422 invalid_parameter: ${invalid.join(', ')}` : '201')
        const stored = created.status === 201 ? await userRow(store, created.json.id) : texts
        expect(stored).toMatchObject(texts)
      }),
      REQUESTS,
    )
  })

  it('that v3 accepts is returned and stored as it was sent', async () => {
    const store = await newStore()
    const filled = anyText(64).filter((text) => isAccepted(text) && !isBlank(text))
    const avatar = anyText(64).filter(isAccepted)
    const fields = { name: filled, last_name: filled, phone: filled, avatar, external_id: filled }
    await fc.assert(
      fc.asyncProperty(fc.record(fields), filled, async (texts, field1) => {
        const created = await createV3(store, v3User({ ...texts, custom_fields: { field1 } }), {
          bindings: WITHOUT_QUOTA,
        })
        expect(created.json).toMatchObject({ ...texts, custom_fields: { field1 } })
        const stored = await userRow(store, created.json.id)
        expect({ ...stored, custom_fields: JSON.parse(stored.custom_fields) }).toMatchObject({
          ...texts,
          custom_fields: { field1 },
        })
      }),
      REQUESTS,
    )
  })

  it('is measured in code points: the maximum is accepted and one more is rejected', async () => {
    const store = await newStore()
    const unit = fc.constantFrom('a', 'é', '😀', '\u0301', '\u200d')
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 254, maxLength: 254 }), async (units) => {
        const name = `x${units.join('')}`
        const [most, more] = [
          await createV1(store, v1User({ name })),
          await createV1(store, v1User({ name: `${name}y` })),
        ]
        expect([most.status, more.status]).toEqual([201, 422])
        expect(most.json.name).toBe(name)
      }),
      { numRuns: 20 },
    )
  })
})

describe('Custom fields', () => {
  it('of any key and value are returned and stored as they were sent', async () => {
    const store = await newStore()
    for (const key of hostileKeys) await defineField(store, key)
    const entries = fc.uniqueArray(fc.tuple(fc.constantFrom(...hostileKeys), scalar), { selector: ([key]) => key })
    await fc.assert(
      fc.asyncProperty(entries, async (pairs) => {
        const text = `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
        const body = JSON.stringify(v1User({ custom_fields: 0 })).replace(
          '"custom_fields":0',
          () => `"custom_fields":${text}`,
        )
        const created = await createV1(store, body)
        expect(summary(created)).toBe('201')
        const { custom_fields } = await userRow(store, created.json.id)
        for (const shown of [created.json.custom_fields, JSON.parse(custom_fields ?? '{}')]) {
          expect(Object.entries(shown ?? {})).toEqual(Object.entries(JSON.parse(text)))
        }
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      REQUESTS,
    )
  })
})

describe('Any body', () => {
  const key = fc.oneof(
    fc.constantFrom(...Object.keys(v3User()), 'status', 'access_due_date', ...hostileKeys),
    fc.string({ unit: 'binary', maxLength: 5 }),
  )
  const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }))
  const text = fc.oneof(
    object.map((value) => JSON.stringify(value)),
    object.map((value) => JSON.stringify({ ...v3User(), ...value })),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.tuple(object, fc.nat(60)).map(([value, end]) => JSON.stringify(value).slice(0, end)),
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.integer({ min: 1, max: 30_000 }).map((depth) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  )
  const body = fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }) })

  const ENVELOPE = ['code', 'details', 'message', 'request_id', 'timestamp', 'type']

  /** Returns what is wrong with the response to a body, whatever the body was. */
  function problemsOf({ status, headers, json }: Answer, version: string): string[] {
    if (status === 201) return json.id ? [] : ['no id']
    if (status !== 400 && status !== 422) return [`status ${status}`]
    const { details, log_id, ...rest } = json
    const keys = Object.keys({ ...rest, details }).toSorted()
    const fields = [details].flat().map(({ field }: any) => field)
    const id = headers.get('X-Request-Id')
    return [
      ...(keys.join() === ENVELOPE.join() ? [] : [`fields ${keys.join()}`]),
      ...(Object.values(rest).every(isText) ? [] : ['a field that is no text']),
      ...(rest.request_id === id && log_id === (version === 'v1' ? id : undefined) ? [] : ['another id']),
      ...(Array.isArray(details) === (status === 422) && fields.length > 0 ? [] : ['details of another status']),
      ...(new Set(fields).size === fields.length ? [] : ['a field named twice']),
      ...([details].flat().every((detail) => isDetail(detail, status)) ? [] : ['a detail of another form']),
    ]
  }

  function isText(value: unknown): boolean {
    return typeof value === 'string'
  }

  function isDetail(detail: any, status: number): boolean {
    const keys = status === 400 ? 'explanation,field' : 'explanation,field,value'
    const isShort = Array.from(String(detail.value)).length <= 256
    return Object.keys(detail).toSorted().join() === keys && Object.values(detail).every(isText) && isShort
  }

  it.each([
    ['v1', createV1],
    ['v3', createV3],
  ])('gets 201, 400 or 422 in the envelope of the %s create', async (version, create) => {
    const store = await newStore()
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await create(store, sent, { bindings: WITHOUT_QUOTA })
        expect(problemsOf(answer, version)).toEqual([])
      }),
      REQUESTS,
    )
  })

  it('gets 201, 400 or 422 in the envelope of the update', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await updateAccess(store, id, sent)
        expect(problemsOf(answer, 'v1')).toEqual([])
      }),
      REQUESTS,
    )
  })
})

describe('Any two emails', () => {
  const local = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,10}(\.[A-Za-z0-9_+-]{1,10}){0,2}$/)
  const label = fc
    .stringMatching(/^[A-Za-z0-9]([A-Za-z0-9-]{0,8}[A-Za-z0-9])?$/)
    .filter((text) => text.slice(2, 4) !== '--')
  const domain = fc
    .tuple(
      fc.array(fc.oneof(label, fc.constantFrom('bücher', '例え', 'ελ')), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('com', 'Example', 'テスト'),
    )
    .map(([labels, top]) => [...labels, top].join('.'))
  const email = fc.tuple(local, domain).map(([before, after]) => `${before}@${after}`)
  const anything = fc.oneof(email, fc.string({ unit: 'binary', maxLength: 30 }), fc.emailAddress())

  it('have keys that are their own keys', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const key = emailKey(text)
        expect(key === undefined ? undefined : emailKey(key)).toBe(key)
      }),
      VALUES,
    )
  })

  it('have the same key when they differ only in ASCII letter case', () => {
    const upper = (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
    fc.assert(
      fc.property(email, (text) => {
        expect(emailKey(text)).toBeDefined()
        expect(emailKey(upper(text))).toBe(emailKey(text))
        expect(emailKey(text.toLowerCase())).toBe(emailKey(text))
      }),
      VALUES,
    )
  })

  it('have different keys when their local parts differ in more than letter case', () => {
    fc.assert(
      fc.property(local, local, domain, (a, b, after) => {
        fc.pre(a.toLowerCase() !== b.toLowerCase())
        expect(emailKey(`${a}@${after}`)).not.toBe(emailKey(`${b}@${after}`))
      }),
      VALUES,
    )
  })

  it('have keys in lower-case ASCII or no key', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(emailKey(text) ?? 'a').toMatch(/^[!-@[-~]+$/)
      }),
      VALUES,
    )
  })
})

describe('Any date-time', () => {
  const two = (n: number) => String(n).padStart(2, '0')
  const instant = fc.date({
    min: new Date('0000-01-02T00:00:00Z'),
    max: new Date('9999-12-30T23:59:59Z'),
    noInvalidDate: true,
  })
  const offset = fc.oneof(
    fc.constantFrom('Z', 'z', '-00:00'),
    fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59)).map(([sign, h, m]) => `${sign}${two(h)}:${two(m)}`),
  )
  // Date.parse of V8 misreads a fraction of ten or more digits: it reads 0.0050000000 as 0.05.
  const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,9}$/))
  const dateTime = fc
    .tuple(instant, fraction, fc.constantFrom('T', 't'), offset)
    .map(([date, digits, separator, zone]) => {
      const [day, time = ''] = date.toISOString().split('T')
      return `${day}${separator}${time.slice(0, 8)}${digits}${zone}`
    })

  it('of RFC 3339 is parsed as Date.parse does', () => {
    fc.assert(
      fc.property(dateTime, (text) => {
        expect(parseDateTime(text)).toBe(Date.parse(text.toUpperCase()))
      }),
      VALUES,
    )
  })

  it('that was formatted is parsed to the same time', () => {
    fc.assert(
      fc.property(instant, (date) => {
        expect(parseDateTime(formatDateTime(date.getTime()))).toBe(date.getTime())
      }),
      VALUES,
    )
  })

  it('with a part out of range or in another form is rejected', () => {
    const mutations: ((text: string) => string)[] = [
      (text) => text.replace(/(?:Z|[+-]\d\d:\d\d)$/i, ''),
      (text) => text.replace(/t/i, '  '),
      (text) => text.replace(/t/i, ''),
      (text) => text.replace(/-\d\d-/, '-13-'),
      (text) => text.replace(/-\d\d-/, '-00-'),
      (text) => text.replace(/-\d\dt/i, '-32T'),
      (text) => text.replace(/-\d\d-\d\dt/i, '-02-30T'),
      (text) => text.replace(/t\d\d/i, 'T24'),
      (text) => text.replace(/(t\d\d):\d\d/i, '$1:60'),
      (text) => text.replace(/(t\d\d:\d\d):\d\d/i, '$1:60'),
      (text) => text.replace(/(t\d\d):\d\d:\d\d/i, '$1'),
      (text) => text.slice(1),
      (text) => `+00${text}`,
      (text) => ` ${text}`,
      (text) => `${text}\n`,
      (text) => `${text}Z`,
      (text) => text.replace(/^\d{4}-/, '$&-'),
    ]
    fc.assert(
      fc.property(dateTime, fc.constantFrom(...mutations), (text, mutate) => {
        expect(parseDateTime(mutate(text))).toBeUndefined()
      }),
      VALUES,
    )
  })

  it('is returned by the update in UTC and as the same time', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    await fc.assert(
      fc.asyncProperty(dateTime, async (text) => {
        const { json } = await updateAccess(store, id, { access_due_date: text })
        expect(json.access_due_date).toBe(new Date(text.toUpperCase()).toISOString())
      }),
      REQUESTS,
    )
  })

  it('is not found in random text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseDateTime(text)).toBeUndefined()
      }),
      VALUES,
    )
  })
})

describe('The text of any JSON value', () => {
  /** Returns the same value with the keys of every object in reverse order. */
  function reversed(value: any): any {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    const result = {}
    for (const [key, item] of Object.entries(value).toReversed()) {
      Object.defineProperty(result, key, {
        value: reversed(item),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return result
  }

  it('equals the text of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value))
      }),
      VALUES,
    )
  })

  it('is independent of the order of the keys when they are sorted, and parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = jsonText(value, { sortKeys: true })
        expect(jsonText(reversed(value), { sortKeys: true })).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      VALUES,
    )
  })

  it('starts with the text that a limit cuts off', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(50), (value, limit) => {
        const [whole, cut] = [jsonText(value), jsonText(value, { limit })]
        expect(whole.startsWith(cut)).toBe(true)
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(limit, whole.length))
      }),
      VALUES,
    )
  })
})

describe('Any request with an idempotency key', () => {
  it('is replayed for any order of its fields, and rejected for another value', async () => {
    const store = await newStore()
    const extra = fc.dictionary(fc.stringMatching(/^x[a-z]{0,3}$/), fc.jsonValue({ maxDepth: 2 }), {
      noNullPrototype: true,
    })
    await fc.assert(
      fc.asyncProperty(extra, fc.jsonValue({ maxDepth: 1 }), async (fields, other) => {
        fc.pre(JSON.stringify(fields['x']) !== JSON.stringify(other))
        const headers = { 'X-Idempotency-Key': `order-${crypto.randomUUID()}` }
        const body = { ...fields, ...v1User({ email: newEmail() }) }
        const first = await createV1(store, body, { headers })
        const again = await createV1(store, Object.fromEntries(Object.entries(body).toReversed()), { headers })
        const changed = await createV1(store, { ...body, x: other }, { headers })
        expect([first.status, again.status, changed.status]).toEqual([201, 201, 422])
        expect(again.text).toBe(first.text)
        expect(changed.json.code).toBe('idempotency_key_reused')
      }),
      REQUESTS,
    )
  })
})
