import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Request } from 'playwright-core'
import { assertPageIsAccessible, assertScreenIsAccessible, countStats, createFixture, openConsole } from './service.ts'

const ada = { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', external_id: 'crm-7' }
const grace = { name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' }

describe('the list of users', () => {
  it('finds users by name, email and external id while the operator types', async () => {
    const { token, store, api } = await createFixture()
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
          Array.from(document.querySelectorAll('table:not([data-stale]) a'), (link) => link.textContent).join() ===
          wanted,
        names.join(),
      )
      assert.deepEqual(await rows.allTextContents(), names)
    }
    await finds('opp', ['Grace Hopper'])
    await finds('crm-7', ['Ada Lovelace'])
    // The user with this external id comes first.
    await finds('ada@example.com', ['Grace Hopper', 'Ada Lovelace'])
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await page.goBack()
    assert.equal(await box.inputValue(), 'ada@example.com', 'the search is part of the URL')
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    assert.equal(await box.inputValue(), 'ada@example.com')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    assert.equal(await box.inputValue(), '', 'a link to the list shows all users')
    await box.fill('nobody at all')
    await page.getByText('No users found.').waitFor()
    await page.getByRole('button', { name: 'Show all users' }).click()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await done()
  })

  it('opens the first user that is found with Enter', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    await api('POST', '/users', grace)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByLabel('Find users').pressSequentially('grace hop')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    await page.goBack()
    await page.getByLabel('Find users').waitFor()
    assert.equal(await page.getByLabel('Find users').inputValue(), 'grace hop')
    await done()
  })

  it('finds everyone in a store that one request cannot examine, in their order and each once', async () => {
    const { token, store, api } = await createFixture()
    // A request examines 9,000 users. The needles are in each part, and next to its ends.
    const isNeedle = (n: number) => n % 700 === 350 || (n > 8990 && n < 9010)
    const users = Array.from({ length: 9600 }, (_, n) => ({
      name: isNeedle(n) ? 'Needle' : 'Hay',
      last_name: `Number ${n}`,
      email: `person${n}@example.com`,
    }))
    for (let n = 0; n < users.length; n += 100) await api('POST', '/users/batch', { items: users.slice(n, n + 100) })
    const { page, done } = await openConsole(token, `/s/${store}/users?q=needle`)
    const needles = users.filter(({ name }) => name === 'Needle').map((user) => `Needle ${user.last_name}`)
    const links = page.getByRole('table', { name: 'Users' }).getByRole('link')
    await links.nth(needles.length - 1).waitFor()
    await page.getByText('Searching further').waitFor({ state: 'detached' })
    assert.deepEqual(await links.allTextContents(), needles)
    assert.equal(await page.getByRole('button', { name: /Next page|Search further/ }).count(), 0)
    const box = page.getByLabel('Find users')
    await box.fill('hay 9599')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Hay Number 9599' }).waitFor()
    await page.goBack()
    await box.fill('number')
    for (const first of ['Hay Number 0', 'Hay Number 50', 'Hay Number 100']) {
      await links.first().filter({ hasText: first }).waitFor()
      await page.getByRole('button', { name: 'Next page' }).click()
    }
    await done()
  })

  it('cancels the search for a text that the operator has typed on', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    const { page, done } = await openConsole(token, `/s/${store}/users`, { expected: ['ERR_ABORTED'] })
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    const isFor = (text: string) => (request: Request) => new URL(request.url()).searchParams.get('q') === text
    await page.route(/\/users\?.*q=ad(&|$)/, () => {
      // This request gets no response.
    })
    const sent = page.waitForRequest(isFor('ad'))
    const canceled = page.waitForEvent('requestfailed', isFor('ad'))
    const box = page.getByLabel('Find users')
    await box.fill('ad')
    await sent
    await box.fill('ada')
    await canceled
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await done()
  })

  it('shows the first hits while it reads on, and the rest when it is there', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    const first = { ...(await api('GET', '/users')).data[0], id: '900', name: 'Adam', last_name: 'First' }
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/users\?.*q=ada/, async (route) => {
      if (!route.request().url().includes('after=')) return route.fulfill({ json: { data: [first], next: 'x' } })
      await isReleased
      return route.fulfill({ json: { data: [{ ...first, id: '901', last_name: 'Second' }], next: null } })
    })
    await page.getByLabel('Find users').fill('ada')
    await page.getByRole('link', { name: 'Adam First' }).waitFor()
    await page.getByText('Searching further').waitFor()
    release()
    await page.getByRole('link', { name: 'Adam Second' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Adam First' }).count(), 1)
    assert.equal(await page.getByRole('button', { name: /Next page|Search further/ }).count(), 0)
    await done()
  })

  it('shows the users one page at a time, and keeps page and order over back, a reload and a shared link', async () => {
    const { token, store, api } = await createFixture()
    const items = Array.from({ length: 60 }, (_, n) => ({ name: `N${n}`, last_name: 'X', email: `n${n}@example.com` }))
    await api('POST', '/users/batch', { items })
    await countStats()
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByText('60 users').waitFor()
    await page.getByRole('link', { name: 'N59 X' }).waitFor()
    await page.getByText('Oldest first').click()
    await page.getByRole('link', { name: 'N0 X' }).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'N59 X' }).waitFor()
    await page.getByRole('button', { name: 'Next page' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('link', { name: 'N59 X' }).waitFor()
    await page.getByText('Page 2').waitFor()
    const shared = page.url().split('#')[1] ?? ''
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByRole('link', { name: 'N0 X' }).waitFor()
    await page.goBack()
    await page.getByText('Page 2').waitFor()
    await done()
    const other = await openConsole(token, shared)
    await other.page.getByRole('link', { name: 'N59 X' }).waitFor()
    // The pages before this one are not known here.
    await other.page.getByRole('button', { name: 'First page' }).click()
    await other.page.getByRole('link', { name: 'N0 X' }).waitFor()
    await other.done()
  })

  it('keeps the widths of the columns from page to page', async () => {
    const { token, store, api } = await createFixture()
    const items = Array.from({ length: 51 }, (_, n) => ({
      name: n === 0 ? 'Maximiliana Bartholomea Theodora' : 'N',
      last_name: 'X',
      email: `n${n}@example.com`,
    }))
    await api('POST', '/users/batch', { items })
    const { page, done } = await openConsole(token, `/s/${store}/users`, { width: 1440 })
    const widths = () =>
      page.locator('th').evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().width)))
    await page.getByRole('button', { name: 'Next page' }).waitFor()
    const before = await widths()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('link', { name: /Maximiliana/ }).waitFor()
    assert.deepEqual(await widths(), before)
    await done()
  })

  it('creates a user with every field and with custom fields', async () => {
    const { token, store, api } = await createFixture()
    await api('PUT', '/custom_fields/team', { label: 'Team' })
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('button', { name: 'Create the first user' }).click()
    const form = page.getByRole('dialog', { name: 'Create a user' })
    await form.getByLabel('First name').fill('Ada')
    await form.getByLabel('Last name').fill('Lovelace')
    await form.getByLabel('Email').fill('ada@example.com')
    await form.getByLabel('Phone').fill('+44 1')
    await form.getByRole('combobox', { name: 'Country' }).fill('united k')
    await page.getByRole('option', { name: 'United Kingdom' }).click()
    await form.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Spanish' }).click()
    await form.getByLabel('External ID').fill('crm-7')
    await form.getByLabel('Password', { exact: true }).fill('correct horse')
    await form.getByLabel('Picture (URL)').fill('https://example.com/a.png')
    await form.getByLabel('Team').fill('Engines')
    await assertPageIsAccessible(page)
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

  it('does not create a second user with an email, and links to the user who has it', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    const { page, done } = await openConsole(token, `/s/${store}/users`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Create a user' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('First name').fill('Ada')
    await form.getByLabel('Last name').fill('King')
    await form.getByLabel('Email').fill('ADA@example.com')
    await form.getByRole('button', { name: 'Create a user' }).click()
    await form.getByText('There is already a user with this email in the store.').waitFor()
    assert.equal(await form.getByRole('alert').filter({ hasText: 'Request ID' }).count(), 0)
    await form.getByRole('link', { name: 'Open the user with this email' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await done()
  })

  it('shows next to each input why its value is invalid', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('button', { name: 'Create a user' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Email').fill('not an address')
    await form.getByRole('button', { name: 'Create a user' }).click()
    await form.getByRole('textbox', { name: 'Email', description: /Enter an email address/ }).waitFor()
    await form.getByRole('textbox', { name: 'First name', description: 'Fill in this field.' }).waitFor()
    const focused = form.getByRole('textbox', { name: 'First name' })
    assert.equal(await focused.evaluate((input) => input === document.activeElement), true)
    await done()
  })

  it('links to the import', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('link', { name: 'Import users' }).click()
    await page.getByRole('heading', { name: 'Import' }).waitFor()
    await done()
  })

  it('shows the users to a viewer without offering a change', async () => {
    const { token, store } = await createFixture('viewer')
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByText('There are no users yet.').waitFor()
    assert.equal(await page.getByRole('button', { name: /Create/ }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Import users' }).count(), 0)
    await done()
  })

  it('has an accessible list of users, in both color schemes and widths', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    await api('POST', '/users', { ...grace, email: `${'very-long-'.repeat(6)}@${'part.'.repeat(20)}example.com` })
    await assertScreenIsAccessible(token, `/s/${store}/users`, (page) =>
      page.getByRole('link', { name: 'Ada Lovelace' }).waitFor(),
    )
  })
})
