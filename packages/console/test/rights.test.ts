import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createFixture, openConsole, origin } from './service.ts'

const CHANGE =
  /Add|Cancel|Change|Close|Choose|Create|Delete|Due|Edit|Erase|Grant|Import|Reopen|Progress|Revert|Revoke|Rotate|Send|Suspend|Save|Test/

/** What each role is offered, by the end of the path of a screen. A screen that is not here offers no change. */
const OFFERED: Record<'office' | 'viewer', Record<string, string[]>> = {
  office: {
    '/users': ['Import users', 'Create a user', 'Grant access'],
    '/users/…': ['Edit', 'Grant access', 'Due date: Algebra', 'Progress: Algebra', 'Reopen: Algebra'],
    '/accesses': ['Change all matches…'],
    '/bulk-changes/…': ['Revert'],
    '/import': ['Choose a file'],
  },
  viewer: {},
}

for (const role of ['office', 'viewer'] as const)
  it(`offers the role ${role} what it may change, and nothing else`, () => test(role))

async function test(role: keyof typeof OFFERED): Promise<void> {
  const { token, store, api } = await createFixture(role)
  await api('PUT', '/custom_fields/team', { label: 'Team' })
  const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  const user = await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  await api('POST', '/product_accesses', { user_id: user.id, product_id: product.id })
  const bulk = await api('POST', '/bulk_changes', { filter: {}, change: { status: 'without_access' } })
  while ((await api('GET', '/bulk_changes')).data[0].state !== 'done') await setTimeout(100)
  const endpoint = await api('POST', '/webhook_endpoints', { url: 'https://example.com/hook' })
  await api('POST', '/tokens', { name: 'Shop' })
  const { page, done } = await openConsole(token, `/s/${store}/users`)
  const main = page.getByRole('main')
  const screens: [path: string, title: string, shown: string][] = [
    ['/users', 'Users', 'Ada Lovelace'],
    [`/users/${user.id}`, 'Ada Lovelace', 'Access to Algebra was granted.'],
    ['/accesses', 'Product accesses', 'Algebra'],
    ['/bulk-changes', 'Bulk changes', 'Close'],
    [`/bulk-changes/${bulk.id}`, `Bulk change ${bulk.id}`, 'Done'],
    ['/import', 'Import', role === 'office' ? 'Drop a file' : 'not import users'],
    ['/export', 'Export', 'Download users'],
    ['/products', 'Products', 'Algebra'],
    ['/custom-fields', 'Custom fields', 'Team'],
    ['/tokens', 'Access tokens', 'Shop'],
    ['/webhooks', 'Webhooks', 'example.com'],
    [`/webhooks/${endpoint.id}`, 'Webhook endpoint', 'https://example.com/hook'],
    ['/settings', 'Settings', 'Suspension'],
    ['/operators', 'Operators', 'Only the root'],
    ['/stores', 'Stores', 'Academy'],
  ]
  for (const [path, title, shown] of screens) {
    const isOfService = path === '/operators' || path === '/stores'
    await page.goto(`${origin}/console#${isOfService ? '' : `/s/${store}`}${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    // No other screen shows this text, so the data of this one has been read.
    await main.getByText(shown).first().waitFor()
    const names = await main
      .locator('button:visible, a[href$="/import"]:visible')
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent))
    assert.deepEqual(
      names.filter((name) => CHANGE.test(name)),
      OFFERED[role][path.replace(/\d+$/, '…')] ?? [],
      path,
    )
    const isSelectable = (await main.locator('tbody [type=checkbox]').count()) > 0
    const isAdmins = [
      '/users/…',
      '/products',
      '/custom-fields',
      '/tokens',
      '/webhooks',
      '/webhooks/…',
      '/stores',
      '/settings',
    ].includes(path.replace(/\d+$/, '…'))
    const asks = await main.getByText(/ask an operator with the role admin/i).count()
    assert.equal(asks, role === 'office' && isAdmins ? 1 : 0, path)
    assert.equal(isSelectable, role === 'office' && ['/users', '/accesses'].includes(path), path)
  }
  assert.equal(await page.getByText('You are signed in as a viewer').count(), role === 'viewer' ? 1 : 0)
  await done()
}
