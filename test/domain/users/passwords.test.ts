import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createV1, createV3, newStore, type TestStore, v1User, v3User } from '../../support/api.ts'
import { usersOf } from '../../support/rows.ts'

/** Without PASSWORD_COST the deployed cost applies, which the cheaper one of the other tests would hide. */
const REAL = { PASSWORD_COST: undefined }

async function hashesOf(store: TestStore): Promise<any[]> {
  return (await usersOf(store)).map(({ password_hash }) => password_hash)
}

/** Splits a PHC string. */
function partsOf(phc: string) {
  const [, id = '', params = '', salt = '', hash = ''] = phc.split('$')
  const numbers = Object.fromEntries(params.split(',').map((pair) => pair.split('=')))
  return { id, params, numbers, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

function verifies(password: string, phc: string): boolean {
  const { numbers, salt, hash } = partsOf(phc)
  const options = { N: 2 ** Number(numbers['ln']), r: Number(numbers['r']), p: Number(numbers['p']) }
  return scryptSync(password, salt, hash.byteLength, options).equals(hash)
}

describe('A stored password', () => {
  it.each([
    { version: 'v1', create: createV1, body: v1User },
    { version: 'v3', create: createV3, body: v3User },
  ])("is a salted scrypt hash at OWASP's cost in a PHC string on $version", async ({ create, body }) => {
    const store = await newStore()
    expect((await create(store, body({ password: 'pässword 😀' }), { bindings: REAL })).status).toBe(201)
    const [phc] = await hashesOf(store)
    expect(phc).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(verifies('pässword 😀', phc)).toBe(true)
    expect(verifies('pässword', phc)).toBe(false)
  })

  it('has its own salt, so that two users with the same password have different hashes', async () => {
    const store = await newStore()
    for (let i = 0; i < 2; i++) await createV1(store, v1User({ password: 'the same' }))
    const [a, b] = await hashesOf(store)
    expect(partsOf(a).salt.equals(partsOf(b).salt)).toBe(false)
    expect(partsOf(a).hash.equals(partsOf(b).hash)).toBe(false)
  })

  it.each(['a', ' a ', 'a'.repeat(1024), 'e\u0301', '\u00e9', 'PassWord', '$scrypt$ln=1'])(
    'is hashed as it was sent, neither truncated nor trimmed nor normalized: %j',
    async (password) => {
      const store = await newStore()
      await createV1(store, v1User({ password }))
      const [phc] = await hashesOf(store)
      expect(verifies(password, phc)).toBe(true)
      for (const other of [password.trim(), password.slice(0, 72), password.normalize('NFC'), password.toLowerCase()]) {
        expect(verifies(other, phc)).toBe(other === password)
      }
    },
  )

  it.each([{}, { password: null }])('is null when no password was sent: %j', async (fields) => {
    const store = await newStore()
    await createV1(store, v1User(fields))
    expect(await hashesOf(store)).toEqual([null])
  })

  it('is in no response', async () => {
    const store = await newStore()
    const headers = { 'X-Idempotency-Key': 'order-1' }
    const body = v1User({ password: 'correct horse' })
    const answers = [await createV1(store, body, { headers }), await createV1(store, body, { headers })]
    for (const { text } of answers) expect(text).not.toMatch(/password|scrypt|correct horse/)
  })
})

describe('The cost of a hash', () => {
  it.each([{ ENVIRONMENT: 'production' }, { ENVIRONMENT: 'staging' }, { ENVIRONMENT: '' }, { ENVIRONMENT: undefined }])(
    'cannot be lowered in $ENVIRONMENT, which returns 500 and stores nothing',
    async (environment) => {
      const store = await newStore()
      const answer = await createV1(store, v1User({ password: 'horse' }), {
        bindings: { ...environment, PASSWORD_COST: '4' },
      })
      expect(answer.status).toBe(500)
      expect(answer.text).not.toMatch(/PASSWORD_COST|horse/)
      expect(await usersOf(store)).toEqual([])
    },
  )

  it.each([
    ['production', undefined],
    ['production', '14'],
    ['test', '4'],
    ['development', '4'],
  ])('in the environment %s can be %s', async (ENVIRONMENT, PASSWORD_COST) => {
    const store = await newStore()
    await createV1(store, v1User({ password: 'horse' }), { bindings: { ENVIRONMENT, PASSWORD_COST } })
    const [phc] = await hashesOf(store)
    expect(partsOf(phc).params).toBe(`ln=${PASSWORD_COST ?? 14},r=8,p=5`)
  })
})
