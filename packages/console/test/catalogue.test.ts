import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertPageIsAccessible, countStats, createFixture, openConsole } from './service.ts'

describe('the products', () => {
  it('creates a product, and shows why the API rejects a slug that is taken', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    const { page, done } = await openConsole(token, `/s/${store}/products`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Create a product' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Algebra again')
    await form.getByLabel('Slug').fill('algebra')
    await form.getByLabel('Type').fill('course')
    await form.getByLabel('Days of access').fill('365')
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('There is already a product with this slug.').waitFor()
    assert.equal(await form.getByRole('alert').count(), 0)
    await form.getByLabel('Slug').fill('algebra-2')
    await form.getByLabel('Slug').press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'Algebra again' })
    await row.getByText('365 days').waitFor()
    await done()
    assert.equal((await api('GET', '/products')).data.length, 2)
  })

  it('edits a product and sends only the fields that were changed', async () => {
    const { token, store, api } = await createFixture()
    const { id } = await api('POST', '/products', {
      name: 'Algebra',
      slug: 'algebra',
      type: 'course',
      expiration_days: 30,
    })
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    await page.getByRole('button', { name: 'Edit Algebra' }).click()
    // Someone else changes the slug in the meantime.
    await api('PATCH', `/products/${id}`, { slug: 'algebra-one' })
    await page.getByLabel('Days of access').fill('')
    await page.getByRole('dialog').getByLabel('Name').fill('Algebra I')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await done()
    const [product] = (await api('GET', '/products')).data
    assert.deepEqual([product.name, product.slug, product.expiration_days], ['Algebra I', 'algebra-one', null])
  })

  it('deletes a product only if no user has access to it', async () => {
    const { token, store, api } = await createFixture()
    const used = await api('POST', '/products', { name: 'Used', slug: 'used', type: 'course' })
    await api('POST', '/products', { name: 'Unused', slug: 'unused', type: 'course' })
    const user = await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
    await api('POST', '/product_accesses', { user_id: user.id, product_id: used.id })
    const { page, done } = await openConsole(token, `/s/${store}/products`, { expected: ['422'] })
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
    await page.getByRole('button', { name: 'Delete Unused' }).click()
    await confirm.click()
    await page.getByText('The product was deleted.').waitFor()
    await page.getByRole('button', { name: 'Delete Used' }).click()
    await confirm.click()
    await page.getByRole('alert').getByText('It cannot be deleted: users have access to it.').waitFor()
    await page.getByRole('alert').getByText('Request ID').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Used', exact: true }).click()
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await done()
    assert.deepEqual(
      (await api('GET', '/products')).data.map((product: any) => product.slug),
      ['used'],
    )
  })

  it('says that a product is not counted, which is not the same as having no accesses', async () => {
    const { token, store, api } = await createFixture()
    const products: any[] = []
    for (let n = 0; n <= 20; n++) {
      products.push(await api('POST', '/products', { name: `Course ${n}`, slug: `course-${n}`, type: 'course' }))
    }
    // Only the last product has one access instead of two, and only 20 products are counted.
    const ids = products.map(({ id }) => ({ product_id: id }))
    const parts = [ids.slice(0, 10), ids.slice(10, 20), ids.slice(0, 10), ids.slice(10, 20), ids.slice(20)]
    const items = parts.map((product_accesses, n) => ({
      name: 'Ada',
      last_name: 'Lovelace',
      email: `ada${n}@example.com`,
      product_accesses,
    }))
    await api('POST', '/users/batch', { items })
    await countStats({ api })
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('Course 19').getByText('2 (2 in force)').waitFor()
    await row('Course 20').getByText('Not among the 20 with the most accesses').waitFor()
    await page.getByRole('link', { name: 'Course 20' }).click()
    await page.getByText(/^Only the 20 products with the most accesses are counted, and this one is not/).waitFor()
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await done()
  })
})

describe('the custom fields', () => {
  it('creates, relabels and deletes a custom field, and says that existing values are kept', async () => {
    const { token, store, api } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/custom-fields`)
    await page.getByText('There are no custom fields yet').waitFor()
    await page.getByRole('button', { name: 'Create a custom field' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Key').fill('shoe.size')
    await form.getByLabel('Label').fill('Shoe size')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('The custom field shoe.size was created.').waitFor()
    await page.getByRole('button', { name: 'Change the label of shoe.size' }).click()
    await form.getByLabel('Label').fill('Size')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Size', exact: true }).waitFor()
    assert.equal((await api('GET', '/custom_fields')).data[0].label, 'Size')
    await page.getByRole('button', { name: 'Delete shoe.size' }).click()
    await page.getByText('Existing values are kept.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no custom fields yet').waitFor()
    await done()
  })

  it('shows why a key is invalid, and says if a custom field already existed', async () => {
    const { token, store, api } = await createFixture()
    await api('PUT', '/custom_fields/size', { label: 'Size' })
    const { page, done } = await openConsole(token, `/s/${store}/custom-fields`)
    await page.getByRole('button', { name: 'Create a custom field' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Key').fill('with spaces')
    await form.getByLabel('Key').press('Enter')
    await form.getByText('Use 1 to 64 letters, digits, _, - and periods.').waitFor()
    await form.getByLabel('Key').fill('size')
    await form.getByLabel('Label').fill('Shoe size')
    await form.getByLabel('Label').press('Enter')
    await page.getByText('The custom field size already existed').waitFor()
    await done()
  })
})
