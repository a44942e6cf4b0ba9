import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { findProblem, writeSecrets } from './local-secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'registrar-'))
after(() => rmSync(folder, { recursive: true, force: true }))

it('writes secrets into a file that only its owner can read, whether it is new or others could read it', () => {
  const [fresh, old] = [join(folder, 'fresh'), join(folder, 'old')]
  writeFileSync(old, 'A=1\n', { mode: 0o644 })
  for (const file of [fresh, old]) {
    writeSecrets(file, 'A=secret\n')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(readFileSync(file, 'utf8'), 'A=secret\n')
  }
})

it('says which secrets are too short, and where they stand', () => {
  const long = { ADMIN_TOKEN: 'a'.repeat(32), TOKEN_KEY: 'k'.repeat(32) }
  assert.equal(findProblem(long), undefined)
  assert.match(
    findProblem({ ...long, TOKEN_KEY: 'k' }) ?? '',
    /^TOKEN_KEY in \.dev\.vars must have at least 32 characters\./,
  )
  assert.equal(findProblem({ ...long, TOKEN_KEY: 'k' }, { TOKEN_KEY: 'k'.repeat(32) }), undefined)
  assert.equal(
    findProblem(long, { ADMIN_TOKEN: '', TOKEN_KEY: 'k' }),
    'ADMIN_TOKEN and TOKEN_KEY of --var must have at least 32 characters.',
  )
})
