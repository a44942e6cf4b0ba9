import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspectPage, inspectScreen, newPlace, openConsole } from './service.ts'

const ada = { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', external_id: 'crm-7' }
const grace = { name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' }

describe('the users', () => {
  it('are found by name, e-mail and external id as one types', async () => {
    const { token, store, api } = await newPlace()
    await api('POST', '/users', ada)
    await api('POST', '/users', { ...grace, external_id: 'ada@example.com' })
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    const rows = page.getByRole('table', { name: 'Users' }).getByRole('link')
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    const box = page.getByLabel('Find users')
    const finds = async (text: string, names: string[]) => {
      await box.fill(text)
      await page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('table:not([data-stale]) a')].map((link) => link.textContent).join() === wanted,
        names.join(),
      )
      assert.deepEqual(await rows.allTextContents(), names)
    }
    await finds('opp', ['Grace Hopper'])
    await finds('crm-7', ['Ada Lovelace'])
    // Who has it as external id comes first.
    await finds('ada@example.com', ['Grace Hopper', 'Ada Lovelace'])
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await page.getByRole('link', { name: 'All users' }).click()
    assert.equal(await box.inputValue(), 'ada@example.com', 'what was typed is kept')
    assert.equal(
      await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }).includes('ada@')),
      false,
    )
    await box.fill('nobody at all')
    await page.getByText('Nobody is found.').waitFor()
    await page.getByRole('button', { name: 'Show all users' }).click()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await done()
  })

  it('are shown a page at a time', async () => {
    const { token, store, api } = await newPlace()
    const items = Array.from({ length: 60 }, (_, n) => ({ name: `N${n}`, last_name: 'X', email: `n${n}@example.com` }))
    await api('POST', '/users/batch', { items })
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('link', { name: 'N0 X' }).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'N59 X' }).waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByRole('link', { name: 'N0 X' }).waitFor()
    await done()
  })

  it('are created with every field, and the store’s own fields', async () => {
    const { token, store, api } = await newPlace()
    await api('PUT', '/custom_fields/team', { label: 'Team' })
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('button', { name: 'Create the first user' }).click()
    const form = page.getByRole('dialog', { name: 'Create a user' })
    await form.getByLabel('First name').fill('Ada')
    await form.getByLabel('Last name').fill('Lovelace')
    await form.getByLabel('E-mail').fill('ada@example.com')
    await form.getByLabel('Phone').fill('+44 1')
    await form.getByRole('combobox', { name: 'Country' }).fill('united k')
    await page.getByRole('option', { name: 'United Kingdom' }).click()
    await form.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Spanish' }).click()
    await form.getByLabel('External id').fill('crm-7')
    await form.getByLabel('Password', { exact: true }).fill('correct horse')
    await form.getByLabel('Picture (address)').fill('https://example.com/a.png')
    await form.getByLabel('Team').fill('Engines')
    await inspectPage(page)
    await form.getByLabel('Team').press('Enter')
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    const { data } = await api('GET', '/users')
    const [{ id, created_at, updated_at, role, ...user }] = data
    assert.deepEqual(user, {
      ...ada,
      phone: '+44 1',
      country: 'GB',
      language: 'ES',
      avatar: 'https://example.com/a.png',
      custom_fields: { team: 'Engines' },
    })
    const checked = { email: 'ada@example.com', password: 'correct horse' }
    assert.equal((await api('POST', '/users/verify_password', checked)).verified, true)
    assert.ok(id && created_at && updated_at && role)
    await done()
  })

  it('are not created twice: the one who has the e-mail is a click away', async () => {
    const { token, store, api } = await newPlace()
    await api('POST', '/users', ada)
    const { page, done } = await openConsole(token, `/s/${store}/users`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Create a user' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('First name').fill('Ada')
    await form.getByLabel('Last name').fill('King')
    await form.getByLabel('E-mail').fill('ADA@example.com')
    await form.getByRole('button', { name: 'Create a user' }).click()
    await form.getByRole('button', { name: 'Copy the request id' }).waitFor()
    await form.getByRole('link', { name: 'Open the user who has this e-mail' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await done()
  })

  it('says beside each input what is wrong with it', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/users`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Create a user' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('E-mail').fill('not an address')
    await form.getByRole('button', { name: 'Create a user' }).click()
    await form.getByRole('textbox', { name: 'E-mail', description: /address/ }).waitFor()
    await form.getByRole('textbox', { name: 'First name', description: /blank/ }).waitFor()
    await done()
  })

  it('lead on to the import', async () => {
    const { token, store, api } = await newPlace()
    await api('POST', '/users', ada)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('link', { name: 'Import users' }).click()
    await page.getByRole('heading', { name: 'Import' }).waitFor()
    await done()
  })

  it('are changed by nobody who only views', async () => {
    const { token, store } = await newPlace('viewer')
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByText('There are no users yet.').waitFor()
    assert.equal(await page.getByRole('button', { name: /Create/ }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Import users' }).count(), 0)
    await done()
  })

  it('can be read by everybody, in both appearances and widths', async () => {
    const { token, store, api } = await newPlace()
    await api('POST', '/users', ada)
    await api('POST', '/users', { ...grace, email: `${'very-long-'.repeat(6)}@${'part.'.repeat(20)}example.com` })
    await inspectScreen(token, `/s/${store}/users`, (page) =>
      page.getByRole('link', { name: 'Ada Lovelace' }).waitFor(),
    )
  })
})
