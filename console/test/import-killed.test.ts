/** The API is killed in the middle of an import and started again, on a port and with data of its own. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { it } from 'node:test'
import { startService } from '../../scripts/service.ts'
import { newPlace, openConsole } from './service.ts'

const PORT = 8944
const DATA = '.wrangler/import-killed'
const ROWS = 3000

it('ends with nobody doubled and nobody missing, though the API was killed on the way', async () => {
  rmSync(DATA, { recursive: true, force: true })
  const start = () => startService(PORT, '.', ['--persist-to', DATA])
  let service = await start()
  try {
    const at = service.origin
    const { token, store, api } = await newPlace('admin', at)
    const { page, done } = await openConsole(token, `/s/${store}/import`, { at, expected: ['ERR_', '50'] })
    const rows = Array.from({ length: ROWS }, (_, i) => `Ana,Person ${i},ana${i}@example.com\n`)
    const buffer = Buffer.from(`name,last_name,email\n${rows.join('')}`)
    await page.getByLabel('Choose a file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText(/^\d+% · [3-9]00 of 3,000 rows/).waitFor()
    await service.kill()
    await page.getByText(/^Waiting: no answer/).waitFor()
    service = await start()
    // Its pauses have grown while nothing answered.
    await page.getByRole('heading', { name: 'Import finished' }).waitFor({ timeout: 90_000 })
    const counts = await page.locator('dl dd').allTextContents()
    assert.deepEqual(counts, ['3,000', '0', '0'])

    const emails = new Set<string>()
    let users = 0
    for (let after: string | null = ''; after !== null;) {
      const answer = await api('GET', `/users?limit=100${after && `&after=${after}`}`)
      users += answer.data.length
      for (const { email } of answer.data) emails.add(email)
      after = answer.next
    }
    assert.deepEqual({ users, emails: emails.size }, { users: ROWS, emails: ROWS })
    await done()
  } finally {
    await service.stop()
    rmSync(DATA, { recursive: true, force: true })
  }
})
