import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { inspectPage, inspectScreen, newPlace, openConsole, origin } from './service.ts'

const run = promisify(execFile)

/** The secret of the open dialog, and the line to try it with. */
async function readSecret(page: Page): Promise<{ secret: string; sample: string }> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This is shown once').waitFor()
  const [secret = '', sample = ''] = await dialog.locator('code, pre').allTextContents()
  return { secret, sample }
}

/** What the API says of the token that it is called with. */
async function ownToken(token: string): Promise<{ status: number; body: any }> {
  const response = await fetch(`${origin}/v1/token`, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, body: await response.json() }
}

describe('tokens', () => {
  it('creates one, shown once, with a curl that works', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByRole('button', { name: 'Create the first token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop sync')
    assert.equal(await page.getByRole('checkbox', { name: 'Create and change users' }).isChecked(), true)
    await page.getByRole('checkbox', { name: 'Follow events' }).check()
    await inspectPage(page)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const { secret, sample } = await readSecret(page)
    await inspectPage(page)
    const { scopes } = (await ownToken(secret)).body
    assert.deepEqual(scopes, ['users:write', 'product_accesses:write', 'events:read'])
    assert.match((await run('sh', ['-c', sample])).stdout, /"email":"ada@example\.com"/)

    await page.keyboard.press('Escape')
    await page.mouse.click(5, 500)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: /^Shop sync/ }).waitFor()
    assert.equal((await page.content()).includes(secret), false)
    await done()
  })

  it('offers a curl that reads, to a token that may not create users', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByRole('button', { name: 'Create the first token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Reader')
    for (const name of ['Create and change users', 'Grant and change accesses']) {
      await page.getByRole('checkbox', { name }).uncheck()
    }
    await page.getByRole('checkbox', { name: 'Read users' }).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const { sample } = await readSecret(page)
    assert.match((await run('sh', ['-c', sample])).stdout, /"scopes":\["users:read"\]/)
    await done()
  })

  it('shows beside the inputs why one is refused', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/tokens`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Create the first token' }).click()
    for (const name of ['Create and change users', 'Grant and change accesses']) {
      await page.getByRole('checkbox', { name }).uncheck()
    }
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Request id').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid'), 'true')
    await inspectPage(page)
    await done()
  })

  it('renames one, and changes what it may do and until when', async () => {
    const { token, store, api } = await newPlace()
    const made = await api('POST', '/tokens', { name: 'Old name' })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByRole('button', { name: 'Change Old name' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('New name')
    await page.getByRole('checkbox', { name: 'Create and change users' }).uncheck()
    await page.getByRole('checkbox', { name: 'No limit' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: /^New name/ }).waitFor()
    const { scopes, expires_at } = (await ownToken(made.token)).body
    assert.deepEqual(scopes, ['product_accesses:write'])
    assert.ok(Date.parse(expires_at) > Date.now())
    await done()
  })

  it('rotates one: both secrets work for a while, and after a leak the new one alone', async () => {
    const { token, store, api } = await newPlace()
    const first = await api('POST', '/tokens', { name: 'Sync' })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByRole('button', { name: 'Rotate Sync' }).click()
    await page.getByLabel('Hours for which').fill('200')
    await page.getByText('A whole number from 0 to 168.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Make the new one' }).isDisabled(), true)
    await page.getByLabel('Hours for which').fill('2')
    await inspectPage(page)
    await page.getByRole('button', { name: 'Make the new one' }).click()
    const second = await readSecret(page)
    assert.equal((await ownToken(first.token)).status, 200)
    assert.equal((await ownToken(second.secret)).status, 200)
    await page.getByRole('button', { name: 'I have kept it' }).click()

    await page.getByRole('button', { name: 'Rotate Sync' }).click()
    await page.getByRole('radio', { name: 'It may have leaked' }).check()
    await page.getByRole('button', { name: 'Make the new one' }).click()
    const third = await readSecret(page)
    assert.notEqual(third.secret, second.secret)
    assert.equal((await ownToken(first.token)).status, 401)
    assert.equal((await ownToken(second.secret)).status, 401)
    assert.equal((await ownToken(third.secret)).status, 200)
    await done()
  })

  it('says why a fifth secret is refused', async () => {
    const { token, store, api } = await newPlace()
    const { id } = await api('POST', '/tokens', { name: 'Sync' })
    for (let i = 0; i < 3; i++) await api('POST', `/tokens/${id}/rotate`, {})
    const { page, done } = await openConsole(token, `/s/${store}/tokens`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Rotate Sync' }).click()
    await page.getByRole('button', { name: 'Make the new one' }).click()
    await page.getByText('Request id').waitFor()
    assert.equal(await page.getByLabel('Hours for which').getAttribute('aria-invalid'), 'true')
    await done()
  })

  it('revokes one, by the keyboard alone', async () => {
    const { token, store, api } = await newPlace()
    const made = await api('POST', '/tokens', { name: 'Sync' })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    const button = page.getByRole('button', { name: 'Revoke Sync' })
    await button.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Revoke Sync')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('[role=dialog]')?.contains(document.activeElement))
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter')
    await page.getByRole('cell', { name: /^Revoked/ }).waitFor()
    assert.equal(await button.count(), 0)
    assert.equal((await ownToken(made.token)).status, 401)
    await done()
  })

  it('revokes all once the store’s id is typed', async () => {
    const { token, store, api } = await newPlace()
    const made = [await api('POST', '/tokens', { name: 'One' }), await api('POST', '/tokens', { name: 'Two' })]
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByRole('button', { name: 'Revoke all tokens' }).click()
    const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke all tokens' })
    await page.getByLabel(/^Type the store’s id/).fill(store.slice(0, -1))
    assert.equal(await revoke.isDisabled(), true)
    await inspectPage(page)
    await page.getByLabel(/^Type the store’s id/).fill(store)
    await revoke.click()
    await page.getByText('2 tokens revoked.').waitFor()
    for (const { token: secret } of made) assert.equal((await ownToken(secret)).status, 401)
    await done()
  })

  it('shows a viewer all and offers no change, in both appearances and widths', async () => {
    const { token, store, api } = await newPlace('viewer')
    const { id } = await api('POST', '/tokens', { name: 'Gone' })
    await api('DELETE', `/tokens/${id}`)
    await api('POST', '/tokens', { name: 'Sync', expires_at: '2099-01-01T00:00:00Z' })
    await inspectScreen(token, `/s/${store}/tokens`, async (page) => {
      await page.getByRole('cell', { name: /Sync/ }).waitFor()
      assert.equal(await page.getByRole('button', { name: /Create|Change|Rotate|Revoke/ }).count(), 0)
    })
  })

  it('can be changed by everybody, in both appearances and widths', async () => {
    const { token, store, api } = await newPlace()
    const { id } = await api('POST', '/tokens', { name: 'Gone' })
    await api('DELETE', `/tokens/${id}`)
    await api('POST', '/tokens', { name: 'Sync' })
    await inspectScreen(token, `/s/${store}/tokens`, (page) =>
      page.getByRole('button', { name: 'Rotate Sync' }).waitFor(),
    )
  })
})
