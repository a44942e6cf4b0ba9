import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspectPage, inspectScreen, newPlace, openConsole } from './service.ts'

describe('products', () => {
  it('are created, with what the API refuses beside its input', async () => {
    const { token, store, api } = await newPlace()
    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    const { page, done } = await openConsole(token, `/s/${store}/products`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Create a product' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Algebra again')
    await form.getByLabel('Slug').fill('algebra')
    await form.getByLabel('Type').fill('course')
    await form.getByLabel('Days of access').fill('365')
    await inspectPage(page)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').getByText('Request id').waitFor()
    await form.getByLabel('Slug').fill('algebra-2')
    await form.getByLabel('Slug').press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'Algebra again' })
    await row.getByText('365 days').waitFor()
    await done()
    assert.equal((await api('GET', '/products')).data.length, 2)
  })

  it('are edited: what was not touched is not sent', async () => {
    const { token, store, api } = await newPlace()
    const { id } = await api('POST', '/products', {
      name: 'Algebra',
      slug: 'algebra',
      type: 'course',
      expiration_days: 30,
    })
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    await page.getByRole('button', { name: 'Edit Algebra' }).click()
    // Somebody else renames its slug meanwhile.
    await api('PATCH', `/products/${id}`, { slug: 'algebra-one' })
    await page.getByLabel('Days of access').fill('')
    await page.getByRole('dialog').getByLabel('Name').fill('Algebra I')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await done()
    const [product] = (await api('GET', '/products')).data
    assert.deepEqual([product.name, product.slug, product.expiration_days], ['Algebra I', 'algebra-one', null])
  })

  it('are deleted, unless somebody has access to them', async () => {
    const { token, store, api } = await newPlace()
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
    await page.getByRole('alert').getByText('Request id').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Used' }).click()
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await done()
    assert.deepEqual(
      (await api('GET', '/products')).data.map((product: any) => product.slug),
      ['used'],
    )
  })

  it('are shown to a viewer, who changes nothing', async () => {
    const { token, store, api } = await newPlace('viewer')
    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    await inspectScreen(token, `/s/${store}/products`, (page) => page.getByText('Algebra').first().waitFor())
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    await page.getByText('Algebra').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /Create|Edit|Delete/ }).count(), 0)
    await done()
  })
})

describe('custom fields', () => {
  it('are defined, labelled and deleted, and say that values are kept', async () => {
    const { token, store, api } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/custom-fields`)
    await page.getByText('There is no custom field yet').waitFor()
    await page.getByRole('button', { name: 'Define a field' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Key').fill('shoe.size')
    await form.getByLabel('Label').fill('Shoe size')
    await form.getByRole('button', { name: 'Define a field' }).click()
    await page.getByText('The field shoe.size was defined.').waitFor()
    await page.getByRole('button', { name: 'Change the label of shoe.size' }).click()
    await form.getByLabel('Label').fill('Size')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Size', exact: true }).waitFor()
    assert.equal((await api('GET', '/custom_fields')).data[0].label, 'Size')
    await page.getByRole('button', { name: 'Delete shoe.size' }).click()
    await page.getByText('The values that users have are kept.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no custom field yet').waitFor()
    await done()
  })

  it('say when a key was defined already, and what is wrong with one', async () => {
    const { token, store, api } = await newPlace()
    await api('PUT', '/custom_fields/size', { label: 'Size' })
    const { page, done } = await openConsole(token, `/s/${store}/custom-fields`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Define a field' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Key').fill('with spaces')
    await form.getByLabel('Key').press('Enter')
    await form.getByText(/must be/).waitFor()
    await form.getByLabel('Key').fill('size')
    await form.getByLabel('Label').fill('Shoe size')
    await form.getByLabel('Label').press('Enter')
    await page.getByText('The field size was defined already').waitFor()
    await done()
  })

  it('are shown to a viewer, who changes nothing', async () => {
    const { token, store, api } = await newPlace('viewer')
    await api('PUT', '/custom_fields/size', { label: 'Size' })
    await inspectScreen(token, `/s/${store}/custom-fields`, async (page) => {
      await page.getByText('Size').first().waitFor()
      assert.equal(await page.getByRole('button', { name: /Define|Change|Delete/ }).count(), 0)
    })
  })
})
