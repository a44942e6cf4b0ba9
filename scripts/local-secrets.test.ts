import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { writeSecrets } from './local-secrets.ts'

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
