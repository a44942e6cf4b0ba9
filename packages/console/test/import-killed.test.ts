/**
 * Kills the service in the middle of an import and starts it again. The service has a port and data of its own, because
 * the other tests need theirs.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { it } from 'node:test'
import { freePort } from '../../../scripts/free-port.ts'
import { startService } from '../../../scripts/service.ts'
import { createFixture, openConsole } from './service.ts'

const DATA = '.wrangler/import-killed'
const ROWS = 3000

it('imports every user exactly once if the service is killed during the import', async () => {
  rmSync(DATA, { recursive: true, force: true })
  // The page goes on with the address that it has.
  const port = await freePort()
  const start = () => startService(port, '.', ['--persist-to', DATA])
  let service = await start()
  try {
    const serviceOrigin = service.origin
    const { token, store, api } = await createFixture('admin', { serviceOrigin })
    const { page, done } = await openConsole(token, `/s/${store}/import`, { serviceOrigin, expected: ['ERR_', '50'] })
    const rows = Array.from({ length: ROWS }, (_, i) => `Ana,Person ${i},ana${i}@example.com\n`)
    const buffer = Buffer.from(`name,last_name,email\n${rows.join('')}`)
    await page.getByLabel('Choose a file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    // From the first batches to the last: on a busy machine, a shorter time passes between two looks at the page.
    await page.getByText(/^\d+% · (?:[3-9]00|[12],\d00) of 3,000 rows/).waitFor()
    await service.kill()
    await page.getByText(/^Waiting: the service does not respond\. Next attempt in \d+ s\.$/).waitFor()
    service = await start()
    // The pauses between attempts have grown while the service was down.
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
