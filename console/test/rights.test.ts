import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createFixture, openConsole, origin } from './service.ts'

const CHANGE =
  /Add|Cancel|Change|Close|Choose|Create|Delete|Due|Edit|Erase|Grant|Import|Reopen|Progress|Revert|Revoke|Rotate|Send|Suspend|Save|Test/

it('offers the office what it may change, and nothing else', async () => {
  const { token, store, api } = await createFixture('office')
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
  /** The screen has been read once `shown` is on it, which no other screen shows. */
  const assertOffers = async (path: string, title: string, shown: string, expected: string[]) => {
    await page.goto(`${origin}/console#${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await main.getByText(shown).first().waitFor()
    const names = await main.locator('button:visible, a[href$="/import"]:visible').allInnerTexts()
    assert.deepEqual(
      names.filter((name) => CHANGE.test(name)),
      expected,
      path,
    )
  }
  const home = `/s/${store}`
  await assertOffers(`${home}/users`, 'Users', 'Ada Lovelace', ['Import users', 'Create a user', 'Grant access'])
  const ofUser = ['Edit', 'Grant access', 'Due date', 'Progress', 'Reopen']
  await assertOffers(`${home}/users/${user.id}`, 'Ada Lovelace', 'Access to Algebra was granted.', ofUser)
  await assertOffers(`${home}/accesses`, 'Product accesses', 'Algebra', ['Change all matches…'])
  await assertOffers(`${home}/bulk-changes/${bulk.id}`, 'Bulk change', 'Done', ['Revert'])
  await assertOffers(`${home}/import`, 'Import', 'Drop a file', ['Choose a file'])
  await assertOffers(`${home}/products`, 'Products', 'Algebra', [])
  await assertOffers(`${home}/custom-fields`, 'Custom fields', 'Team', [])
  await assertOffers(`${home}/tokens`, 'Access tokens', 'Shop', [])
  await assertOffers(`${home}/webhooks`, 'Webhooks', 'example.com', [])
  await assertOffers(`${home}/webhooks/${endpoint.id}`, 'Webhook endpoint', 'https://example.com/hook', [])
  await assertOffers(`${home}/settings`, 'Settings', 'Suspension', [])
  await assertOffers('/operators', 'Operators', 'Only the root', [])
  await assertOffers('/stores', 'Stores', 'Academy', [])
  assert.equal(await page.getByText('You are signed in as a viewer').count(), 0)
  await done()
})
