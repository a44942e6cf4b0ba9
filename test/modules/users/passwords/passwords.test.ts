import { describe, expect, it } from 'vitest'
import { hashPassword, isPasswordOf } from '../../../../src/modules/users/passwords/passwords.ts'
import { createV1, createV3, newStore, v1User, v3User } from '../../../support/api.ts'
import { usersOf, type TestStore } from '../../../support/rows.ts'

/** Without PASSWORD_COST the deployed cost applies, which the cheaper one of the other tests would hide. */
const REAL = { PASSWORD_COST: undefined }

async function hashesOf(store: TestStore): Promise<any[]> {
  return (await usersOf(store)).map(({ password_hash }) => password_hash)
}

function verifies(password: string, hash: string): Promise<boolean> {
  return isPasswordOf({ ENVIRONMENT: 'test' }, { password, hash, store: 1 })
}

describe('A stored password', () => {
  it.each([
    { version: 'v1', create: createV1, body: v1User },
    { version: 'v3', create: createV3, body: v3User },
  ])("is a salted Argon2id hash at OWASP's cost in a PHC string on $version", async ({ create, body }) => {
    const store = await newStore()
    expect((await create(store, body({ password: 'pässword 😀' }), { bindings: REAL })).status).toBe(201)
    const [phc] = await hashesOf(store)
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await verifies('pässword 😀', phc)).toBe(true)
    expect(await verifies('pässword', phc)).toBe(false)
  })

  it('has its own salt, so that two users with the same password have different hashes', async () => {
    const store = await newStore()
    for (let i = 0; i < 2; i++) await createV1(store, v1User({ password: 'the same' }))
    const [a, b] = (await hashesOf(store)).map((phc) => phc.split('$').slice(-2))
    expect(a[0]).not.toBe(b[0])
    expect(a[1]).not.toBe(b[1])
  })

  // Computed by argon2Sync of node:crypto, with m=32, t=2, p=1 and the salt of `phc`.
  it.each([
    ['a', 'f3fRYIQmj3pjmTivJdjdLI2sikHj8+OOnFT2tdr73+k'],
    [' a ', 'pIsMysz5BmL+wF0gej6DxpQ/pmPLitV3t1V7TOqNWJE'],
    ['a'.repeat(1024), 'GqL8tMptUMtWxYm+ksG/u1y/m5DpTV8QKY+6n1QLwNo'],
    ['e\u0301', '7fLZ8oBAwh/Xi0zpb1ebqTdF0w+wJIth9QWOu+bdFvA'],
    ['\u00e9', 'GvBJYaimIEzX52JbanjwvTA/hcSDHLfx1I8KK2U0sRg'],
    ['contraseña', 'h/yR5zg2n1SMyktZl3MsMb6N5wCyrXoq7OmPXVdbna0'],
    ['pässword 😀', 'fPbNbOIHMhFjBLYwM6nF1iJSEezIjmGx/rRclLWaMbQ'],
    ['PassWord', 'HY9NPqrTBhf+gb7oskAk2S9xjFwu6F9KhIPru5Iob/k'],
    ['$argon2id$v=19', 'yXlvn63LOrqTZyn2Ui7NOy4AMqoWIp6VeBXRwM/iHTU'],
  ])('is hashed as it was sent, neither truncated nor trimmed nor normalized: %j', async (password, expected) => {
    const phc = `$argon2id$v=19$m=32,t=2,p=1$c2FsdCBvZiB0aGUgdGVzdA$${expected}`
    const own = await hashPassword({ ENVIRONMENT: 'test', PASSWORD_COST: '32' }, { password, store: 1 })
    const others = [password.trim(), password.slice(0, -1), password.normalize('NFC'), password.toLowerCase()]
    for (const other of [password, `${password}\0`, ...others]) {
      expect(await verifies(other, phc)).toBe(other === password)
      expect(await verifies(other, own)).toBe(other === password)
    }
  })

  it.each(['', 'secret', '$argon2id$v=19$m=32', '$scrypt$ln=14,r=8,p=5$AAAA$AAAA'])(
    'that is no hash of Argon2id is an error, not a wrong password: %j',
    async (hash) => {
      await expect(verifies('secret', hash)).rejects.toThrow('a password hash could not be read')
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
    for (const { text } of answers) expect(text).not.toMatch(/password|argon2|correct horse/)
  })
})

describe('The cost of a hash', () => {
  it.each([{ ENVIRONMENT: 'production' }, { ENVIRONMENT: 'staging' }, { ENVIRONMENT: '' }, { ENVIRONMENT: undefined }])(
    'cannot be lowered in $ENVIRONMENT, which returns 500 and stores nothing',
    async (environment) => {
      const store = await newStore()
      const answer = await createV1(store, v1User({ password: 'horse' }), {
        bindings: { ...environment, PASSWORD_COST: '32' },
      })
      expect(answer.status).toBe(500)
      expect(answer.text).not.toMatch(/PASSWORD_COST|horse/)
      expect(await usersOf(store)).toEqual([])
    },
  )

  it.each([
    ['production', undefined],
    ['production', '19456'],
    ['test', '32'],
    ['development', '32'],
  ])('in the environment %s can be %s', async (ENVIRONMENT, PASSWORD_COST) => {
    const store = await newStore()
    await createV1(store, v1User({ password: 'horse' }), { bindings: { ENVIRONMENT, PASSWORD_COST } })
    const [phc] = await hashesOf(store)
    expect(phc).toContain(`$m=${PASSWORD_COST ?? 19_456},t=2,p=1$`)
  })
})
