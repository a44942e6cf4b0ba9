import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { assertPageIsAccessible, call, createFixture, openConsole, origin } from './service.ts'

const run = promisify(execFile)

/** Returns the secret in the open dialog and the command to try it with. */
async function readSecret(page: Page): Promise<{ secret: string; sample: string }> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This is shown only once').waitFor()
  const [secret = '', sample = ''] = await dialog.locator('code, pre').allTextContents()
  return { secret, sample }
}

/** Returns what the API says about the token. */
async function ownToken(token: string): Promise<{ status: number; body: any }> {
  const response = await fetch(`${origin}/v1/token`, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, body: await response.json() }
}

describe('the access tokens', () => {
  it('creates a token once its form is valid, shows it once, and offers a curl command that works', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByRole('button', { name: 'Create the first token' }).click()
    const defaults = ['Create and change users', 'Grant and change accesses']
    for (const name of defaults) await page.getByRole('checkbox', { name }).uncheck()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Choose at least one scope.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid'), 'true')
    await assertPageIsAccessible(page)
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop sync')
    for (const name of [...defaults, 'Read events']) await page.getByRole('checkbox', { name }).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const { secret, sample } = await readSecret(page)
    await assertPageIsAccessible(page)
    const { scopes } = (await ownToken(secret)).body
    assert.deepEqual(scopes, ['users:write', 'product_accesses:write', 'events:read'])
    assert.match((await run('sh', ['-c', sample])).stdout, /"email":"ada@example\.com"/)

    await page.keyboard.press('Escape')
    await page.mouse.click(5, 500)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: /^Shop sync/ }).waitFor()
    assert.equal((await page.content()).includes(secret), false)
    await done()
  })

  it('offers a curl command that only reads if the token may not create users', async () => {
    const { token, store } = await createFixture()
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

  it('changes the name, the scopes and the expiry of a token', async () => {
    const { token, store, api } = await createFixture()
    const made = await api('POST', '/tokens', { name: 'Old name' })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByRole('button', { name: 'Edit Old name' }).click()
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

  it('rotates a token with an overlap of both secrets, and without one after a leak, but not to a fifth secret', async () => {
    const { token, store, api } = await createFixture()
    const first = await api('POST', '/tokens', { name: 'Sync' })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Rotate Sync' }).click()
    await page.getByLabel('Hours until the old secret').fill('200')
    await page.getByRole('button', { name: 'Create a new secret' }).click()
    await page.getByText(/Enter a whole number from 0 to 168\./).waitFor()
    await page.getByLabel('Hours until the old secret').fill('2')
    await assertPageIsAccessible(page)
    await page.getByRole('button', { name: 'Create a new secret' }).click()
    const second = await readSecret(page)
    assert.equal((await ownToken(first.token)).status, 200)
    assert.equal((await ownToken(second.secret)).status, 200)
    await page.getByRole('button', { name: 'I have copied it' }).click()

    await page.getByRole('button', { name: 'Rotate Sync' }).click()
    await page.getByRole('radio', { name: 'The secret may have leaked' }).check()
    await page.getByRole('button', { name: 'Create a new secret' }).click()
    const third = await readSecret(page)
    assert.notEqual(third.secret, second.secret)
    assert.equal((await ownToken(first.token)).status, 401)
    assert.equal((await ownToken(second.secret)).status, 401)
    assert.equal((await ownToken(third.secret)).status, 200)
    await page.getByRole('button', { name: 'I have copied it' }).click()

    for (let i = 0; i < 3; i++) await api('POST', `/tokens/${first.id}/rotate`, {})
    await page.getByRole('button', { name: 'Rotate Sync' }).click()
    await page.getByRole('button', { name: 'Create a new secret' }).click()
    await page.getByText(/At most four secrets are valid at once/).waitFor()
    assert.equal(await page.getByLabel('Hours until the old secret').getAttribute('aria-invalid'), 'true')
    await done()
  })

  it('revokes a token with the keyboard only', async () => {
    const { token, store, api } = await createFixture()
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

  it('revokes all tokens of a store after its id is typed', async () => {
    const { token, store, api } = await createFixture()
    const made = [await api('POST', '/tokens', { name: 'One' }), await api('POST', '/tokens', { name: 'Two' })]
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    await page.getByRole('button', { name: 'Revoke all tokens' }).click()
    const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke all tokens' })
    await page.getByLabel(/^Type the ID of the store/).fill(store.slice(0, -1))
    assert.equal(await revoke.isDisabled(), true)
    await assertPageIsAccessible(page)
    await page.getByLabel(/^Type the ID of the store/).fill(store)
    await revoke.click()
    await page.getByText('2 tokens revoked.').waitFor()
    for (const { token: secret } of made) assert.equal((await ownToken(secret)).status, 401)
    await done()
  })

  it('lists the newest token first or the oldest first, and keeps the order over a reload and back', async () => {
    const { token, store, api } = await createFixture()
    for (const name of ['Older', 'Newer']) await api('POST', '/tokens', { name })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    const names = page.getByRole('table', { name: 'Access tokens' }).getByText(/^(Older|Newer)$/)
    const shows = async (first: string) => {
      await names.first().filter({ hasText: first }).waitFor()
      assert.equal(await names.count(), 2)
    }
    await shows('Newer')
    await page.getByText('Oldest first').click()
    await shows('Older')
    await page.reload()
    await shows('Older')
    await page.goBack()
    await shows('Newer')
    await done()
  })

  it('shows the day on which a token was last used', async () => {
    const { token, store, api } = await createFixture()
    const used = await api('POST', '/tokens', { name: 'Shop sync', scopes: ['users:read'] })
    await api('POST', '/tokens', { name: 'Reports' })
    await call('GET', `/v1/stores/${store}/users`, undefined, used.token)
    const { last_used_at } = (await api('GET', '/tokens')).data[0]
    const day = new Date(last_used_at).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })
    const { page, done } = await openConsole(token, `/s/${store}/tokens`)
    const table = page.getByRole('table', { name: 'Access tokens' })
    await table.waitFor()
    const column = (await table.getByRole('columnheader').allTextContents()).indexOf('Last used')
    const lastUsed = (name: string) => table.getByRole('row').filter({ hasText: name }).getByRole('cell').nth(column)
    assert.equal(await lastUsed('Shop sync').innerText(), day)
    assert.equal(await lastUsed('Reports').innerText(), 'Never')
    await done()
  })
})
