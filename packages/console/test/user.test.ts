import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readXlsx } from 'hucre/xlsx'
import { call, assertPageIsAccessible, createFixture, openConsole, type Fixture } from './service.ts'

const ada = { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }

async function createUser(fixture: Fixture, fields = {}) {
  const user = await fixture.api('POST', '/users', { ...ada, ...fields })
  return { user, path: `/s/${fixture.store}/users/${user.id}` }
}

async function createAccess(fixture: Fixture, user: string, name: string, fields = {}) {
  const product = await fixture.api('POST', '/products', { name, slug: name.toLowerCase(), type: 'course' })
  return fixture.api('POST', '/product_accesses', { user_id: user, product_id: product.id, ...fields })
}

describe('the screen of a user', () => {
  it('shows all data of a user to a viewer without offering a change', async () => {
    const fixture = await createFixture('viewer')
    await fixture.api('PUT', '/custom_fields/team', { label: 'Team' })
    const { user, path } = await createUser(fixture, {
      country: 'GB',
      phone: '+44 1',
      email: 'ada?bcc=eve@example.com',
      custom_fields: { team: 'Engines' },
    })
    await createAccess(fixture, user.id, 'Algebra')
    const { page, done } = await openConsole(fixture.token, path)
    const profile = page.getByRole('region', { name: 'Profile' })
    for (const text of ['ada?bcc=eve@example.com', 'United Kingdom', '+44 1', 'English', 'Team', 'Engines']) {
      await profile.getByText(text, { exact: true }).waitFor()
    }
    assert.equal(await profile.getByRole('link').getAttribute('href'), 'mailto:ada%3Fbcc%3Deve@example.com')
    await page.getByRole('cell', { name: 'Algebra' }).waitFor()
    await page.getByText('Access to Algebra was granted.').waitFor()
    for (const name of [/Edit/, /Erase/, /Grant access/, /Close/, /Due date/, /Progress/]) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, `a viewer is offered ${name.source}`)
    }
    assert.equal(await page.title(), 'Ada Lovelace · Registrar')
    await done()
  })

  it('changes only the fields of a user that the operator has edited', async () => {
    const fixture = await createFixture()
    await fixture.api('PUT', '/custom_fields/age', {})
    await fixture.api('PUT', '/custom_fields/old', {})
    await fixture.api('PUT', '/custom_fields/card', {})
    const card = JSON.rawJSON('12345678901234567891')
    const { user, path } = await createUser(fixture, { phone: '+44 1', custom_fields: { age: 36, old: 'x', card } })
    await fixture.api('DELETE', '/custom_fields/old')
    const { page, done } = await openConsole(fixture.token, path)
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit the user' })
    assert.equal(await form.getByLabel('card', { exact: true }).inputValue(), card.rawJSON)
    await form.getByLabel('Last name').fill('King')
    await form.getByLabel('Phone').fill('')
    await form.getByLabel('age', { exact: true }).fill('37')
    await form.getByLabel('New password').fill('correct horse')
    await form.getByRole('button', { name: 'Remove old' }).click()
    await form.getByText('The value is removed when you save.').waitFor()
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Ada King' }).waitFor()
    const changedText = await page.getByText(/^Changed: /).textContent()
    const names = changedText?.replace('Changed: ', '').split(', ').toSorted()
    assert.deepEqual(names, ['Custom fields', 'Last name', 'Password', 'Phone'])
    const now = await fixture.api('GET', `/users/${user.id}`)
    assert.equal(now.phone, undefined)
    assert.deepEqual(now.custom_fields, { age: 37, card: Number(card.rawJSON) })
    const checked = { email: ada.email, password: 'correct horse' }
    assert.equal((await fixture.api('POST', '/users/verify_password', checked)).verified, true)
    await done()
  })

  it('does not overwrite another operator’s change of a user, and lets the operator choose between both values', async () => {
    const fixture = await createFixture()
    await fixture.api('PUT', '/custom_fields/team', { label: 'Class' })
    const { user, path } = await createUser(fixture, { phone: '1', external_id: 'a', custom_fields: { team: '7A' } })
    const { page, done } = await openConsole(fixture.token, path, { expected: ['412'] })
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Phone').fill('2 mine')
    await form.getByLabel('External ID').fill('b mine')
    const theirs = { phone: '3 theirs', external_id: 'c theirs', last_name: 'King', custom_fields: { team: '8B' } }
    await fixture.api('PATCH', `/users/${user.id}`, theirs)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Someone else has changed this user in the meantime').waitFor()
    await form.getByRole('group', { name: 'Class' }).getByText('Their value: 8B').waitFor()
    const phone = form.getByRole('group', { name: 'Phone' })
    for (const text of ['Before: 1', 'Their value: 3 theirs', 'Your value: 2 mine']) {
      await phone.getByText(text).waitFor()
    }
    assert.equal(
      await form.getByRole('textbox', { name: 'Last name' }).inputValue(),
      'King',
      'what nobody wrote here follows',
    )
    await phone.getByRole('button', { name: 'Use their value' }).click()
    assert.equal(await form.getByRole('textbox', { name: 'Phone' }).inputValue(), '3 theirs')
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Saved.').waitFor()
    const now = await fixture.api('GET', `/users/${user.id}`)
    assert.deepEqual([now.phone, now.external_id, now.last_name], ['3 theirs', 'b mine', 'King'])
    await done()
  })

  it('rejects an email that another user has, and links to that user', async () => {
    const fixture = await createFixture()
    await fixture.api('POST', '/users', { ...ada, name: 'Grace', email: 'grace@example.com' })
    const { path } = await createUser(fixture)
    const { page, done } = await openConsole(fixture.token, path, { expected: ['422'] })
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Email').fill('grace@example.com')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('link', { name: 'Open the user with this email' }).click()
    await page.getByRole('heading', { name: 'Grace Lovelace' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await done()
  })

  it('shows on a phone the whole email that is to be typed, and no message over the buttons of a dialog', async () => {
    const fixture = await createFixture()
    const { path } = await createUser(fixture, { email: `${'ada.king.of.lovelace.'.repeat(2)}byron@example.com` })
    const { page, done } = await openConsole(fixture.token, path, { width: 390 })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Phone').fill('600')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const message = await page.getByText('Saved.').boundingBox()
    assert.ok(message !== null && message.y < 200, `the message is at ${message?.y}`)
    await page.getByRole('button', { name: 'Erase' }).click()
    const overhang = await page.getByRole('dialog').evaluate((dialog) => {
      const text = document.createRange()
      text.selectNodeContents(dialog.querySelector('label') ?? dialog)
      return text.getBoundingClientRect().right - dialog.getBoundingClientRect().right
    })
    assert.ok(overhang <= 0, `the label is ${overhang} px too wide`)
    await done()
  })

  it('erases a user after the email is typed, with a file of everything before, and says so for good afterwards', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    const { page, done } = await openConsole(fixture.token, path, { expected: ['404'] })
    await page.getByRole('button', { name: 'Erase' }).click()
    const form = page.getByRole('dialog', { name: 'Erase this user' })
    const button = form.getByRole('button', { name: 'Erase permanently' })
    const box = form.getByLabel('Type ada@example.com to confirm')
    await box.fill('ada@example.co')
    await box.press('Enter')
    assert.equal(await button.isDisabled(), true)
    await assertPageIsAccessible(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      form.getByRole('button', { name: 'Download the data' }).click(),
    ])
    assert.match(file.suggestedFilename(), /^Academy \w+ - Ada Lovelace\.xlsx$/)
    const { sheets } = await readXlsx(readFileSync(await file.path()))
    assert.deepEqual(
      sheets.map(({ name }) => name),
      ['Profile', 'Accesses', 'Timeline'],
    )
    assert.deepEqual(
      sheets[0]?.rows.find(([field]) => field === 'Email'),
      ['Email', 'ada@example.com'],
    )
    assert.equal(sheets[2]?.rows[1]?.[1], 'The user was created.')
    await box.fill('ada@example.com')
    await button.click()
    await page.getByText('The user was erased.').waitFor()
    const receipt = page.getByText(new RegExp(`^User ${user.id} of Academy \\w+ was erased on .* operator Olivia`))
    await receipt.waitFor()
    await page.reload()
    await receipt.waitFor()
    await page.getByRole('button', { name: 'Print' }).waitFor()
    // The name of the store is random hexadecimal digits, which may hold "ada".
    assert.deepEqual(await page.getByText(/\bAda\b/).allTextContents(), [])
    await page.getByRole('link', { name: 'All users' }).first().click()
    await page.getByText('There are no users yet. Create one').waitFor()
    await assert.rejects(fixture.api('GET', `/users/${user.id}`), /404/)
    await done()
  })

  it('reports that a user does not exist', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/users/77`, { expected: ['404'] })
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'All users' }).waitFor()
    await done()
  })
})

describe('the accesses of a user', () => {
  it('grants access with the default duration of the product, until a date, or without a limit', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    for (const name of ['Algebra', 'Geometry', 'Logic']) {
      await fixture.api('POST', '/products', { name, slug: name.toLowerCase(), type: 'course', expiration_days: 10 })
    }
    const { page, done } = await openConsole(fixture.token, path)
    const give = async (product: string, choose: () => Promise<void>) => {
      await page.getByRole('button', { name: 'Grant access' }).click()
      const form = page.getByRole('dialog', { name: 'Grant access' })
      await form.getByRole('combobox', { name: 'Products' }).click()
      await page.getByRole('option', { name: product }).click()
      await choose()
      await form.getByRole('button', { name: 'Grant access' }).click()
      await page.getByRole('cell', { name: product, exact: true }).waitFor()
      await form.waitFor({ state: 'hidden' })
    }
    await give('Algebra', () =>
      page
        .getByRole('status')
        .getByText(/Algebra: access until [A-Z]/)
        .waitFor(),
    )
    await give('Geometry', async () => {
      await page.getByLabel('Until a date that I choose').click()
      await page.getByRole('button', { name: 'In a year' }).click()
      await assertPageIsAccessible(page)
    })
    await give('Logic', async () => {
      await page.getByLabel('Until a date that I choose').click()
      await page.getByLabel('No limit').check()
    })
    const { data } = await fixture.api('GET', `/product_accesses?user_id=${user.id}`)
    const daysLeft = data.map(({ access_due_date: at }: any) => at && Math.floor((Date.parse(at) - Date.now()) / 864e5))
    assert.deepEqual(daysLeft, [9, 365, null])
    await page.getByRole('button', { name: 'Grant access' }).click()
    await page.getByText('This user already has access to all products.').waitFor()
    await done()
  })

  it('grants several products at once and shows the resulting dates before', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    for (const name of ['Algebra', 'Geometry']) {
      await fixture.api('POST', '/products', { name, slug: name.toLowerCase(), type: 'course', expiration_days: 10 })
    }
    const { page, done } = await openConsole(fixture.token, path)
    await page.getByRole('button', { name: 'Grant access' }).click()
    const form = page.getByRole('dialog', { name: 'Grant access' })
    for (const name of ['Algebra', 'Geometry']) {
      await form.getByRole('combobox', { name: 'Products' }).fill(name.slice(1, 4))
      await page.getByRole('option', { name }).waitFor()
      await form.getByRole('combobox', { name: 'Products' }).press('Enter')
      // The menu would cover the rest of the form.
      await page.getByRole('option').first().waitFor({ state: 'hidden' })
    }
    const result = form.getByRole('status')
    await result.getByText(/^Algebra: access until .*\d{4}/).waitFor()
    await result.getByText(/^Geometry: access until .*\d{4}/).waitFor()
    await form.getByLabel('Until a date that I choose').check()
    // The first option is the name of the menu, and the second one this month.
    await form.getByLabel('End of a month').selectOption({ index: 3 })
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Grant access' }).click()
    await page.getByText('Access to 2 products was granted.').waitFor()
    await done()
    const { data } = await fixture.api('GET', `/product_accesses?user_id=${user.id}`)
    const now = new Date()
    const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3) - 1).toISOString()
    assert.deepEqual(
      data.map((access: any) => access.access_due_date),
      [end, end],
    )
  })

  it('links to the products if the store has none to grant access to', async () => {
    const fixture = await createFixture()
    const { path } = await createUser(fixture)
    const { page, done } = await openConsole(fixture.token, path)
    await page.getByText('This user has no access to any product yet.').waitFor()
    await page.getByRole('button', { name: 'Grant access' }).click()
    await page.getByRole('link', { name: 'Create a product' }).click()
    await page.getByRole('heading', { name: 'Products' }).waitFor()
    await done()
  })

  it('closes and reopens the access of a user', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    await createAccess(fixture, user.id, 'Algebra', { access_due_date: '2026-01-01T00:00:00Z' })
    const { page, done } = await openConsole(fixture.token, path)
    await page.getByRole('cell', { name: 'Ended' }).waitFor()
    await page.getByRole('button', { name: 'Close: Algebra' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close the access' }).click()
    await page.getByRole('cell', { name: 'Closed' }).waitFor()
    await page.getByRole('button', { name: 'Reopen: Algebra' }).click()
    const form = page.getByRole('dialog', { name: 'Reopen the access' })
    await form.getByText('This date is in the past, so the user has no access.').waitFor()
    await form.getByLabel('No limit').check()
    await form.getByRole('button', { name: 'Reopen the access' }).click()
    await page.getByRole('cell', { name: 'In force' }).waitFor()
    const { data } = await fixture.api('GET', `/product_accesses?user_id=${user.id}`)
    assert.deepEqual([data[0].status, data[0].access_due_date], ['with_access', null])
    await done()
  })

  it('closes all accesses of a user at once', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    await createAccess(fixture, user.id, 'Algebra', { access_due_date: '2026-01-01T00:00:00Z' })
    await createAccess(fixture, user.id, 'Geometry')
    const other = await fixture.api('POST', '/users', { ...ada, email: 'other@example.com' })
    const { data } = await fixture.api('GET', '/products')
    const untouched = await fixture.api('POST', '/product_accesses', { user_id: other.id, product_id: data[0].id })
    const { page, done } = await openConsole(fixture.token, path)
    await page.getByRole('button', { name: 'Close all…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change many accesses' })
    await dialog.getByText('Which accesses: Ada Lovelace').waitFor()
    assert.equal(await dialog.getByRole('radio', { name: 'Close' }).isChecked(), true)
    await dialog.getByRole('button', { name: 'Check what would change' }).click()
    await dialog.getByRole('button', { name: 'Close 2 accesses' }).click()
    await page.getByRole('cell', { name: 'Closed' }).nth(1).waitFor()
    await done()
    assert.equal((await fixture.api('GET', `/product_accesses/${untouched.id}`)).status, 'with_access')
  })

  it('changes a due date in the store’s time zone, whatever that of the computer is', async () => {
    const fixture = await createFixture('admin', { time_zone: 'America/Bogota' })
    const { user, path } = await createUser(fixture)
    await createAccess(fixture, user.id, 'Algebra', { access_due_date: '2027-02-10T22:30:00Z' })
    const { page, done } = await openConsole(fixture.token, path, { timezone: 'Asia/Tokyo' })
    await page.getByText('in the time zone of the store, America/Bogota. This computer is in Asia/Tokyo.').waitFor()
    await page.getByRole('cell', { name: 'Feb 10, 2027, 5:30 PM' }).waitFor()
    await page.getByRole('button', { name: 'Due date: Algebra' }).click()
    const form = page.getByRole('dialog', { name: 'Change the due date' })
    await form.getByText('Time zone of the store: America/Bogota.').waitFor()
    await form.getByLabel('Due date', { exact: true }).click()
    await page.getByRole('button', { name: '20 February 2027' }).click()
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Feb 20, 2027, 5:30 PM' }).waitFor()
    await page.getByText(/Due date: Feb 10, 2027, 5:30 PM.*Feb 20, 2027, 5:30 PM/).waitFor()
    const { data } = await fixture.api('GET', `/product_accesses?user_id=${user.id}`)
    assert.equal(data[0].access_due_date, '2027-02-20T22:30:00.000Z')
    await done()
  })

  it('ends an access with the day that is typed, also where clocks change at midnight, and keeps a text that is none', async () => {
    for (const [time_zone, day, end, previous, shown] of [
      ['America/Santiago', '2027-04-03', '2027-04-04T03:59:59.999Z', null, ''],
      ['Africa/Cairo', '28 Oct 2027', '2027-10-28T21:59:59.999Z', '9999-12-31T23:59:59.999Z', 'Dec 31, 9999'],
      ['America/Nuuk', 'Mar 27, 2027', '2027-03-28T00:59:59.999Z', null, ''],
    ] as const) {
      const fixture = await createFixture('admin', { time_zone })
      const { user, path } = await createUser(fixture)
      const access = await createAccess(fixture, user.id, 'Algebra', { access_due_date: previous })
      const { page, done } = await openConsole(fixture.token, path, { timezone: time_zone })
      await page.getByRole('button', { name: 'Due date: Algebra' }).click()
      const form = page.getByRole('dialog', { name: 'Change the due date' })
      const input = form.getByLabel('Due date', { exact: true })
      // In Cairo, the last moment of the API is in the year 10000.
      assert.equal(await input.inputValue(), shown)
      await input.fill('3/4/2027')
      await form.getByText('This is not a day.').waitFor()
      await input.press('Enter')
      assert.equal(await input.inputValue(), '3/4/2027')
      await input.fill(day)
      await form.getByRole('button', { name: 'Save' }).click()
      await form.waitFor({ state: 'hidden' })
      assert.equal((await fixture.api('GET', `/product_accesses/${access.id}`)).access_due_date, end)
      await done()
    }
  })

  it('renews an access by a month of the store’s calendar, once although the response was lost', async () => {
    const fixture = await createFixture('admin', { time_zone: 'Europe/Lisbon' })
    const { user, path } = await createUser(fixture)
    const access = await createAccess(fixture, user.id, 'Algebra', { access_due_date: '2031-03-28T23:59:59.999Z' })
    const { page, done } = await openConsole(fixture.token, path, { expected: ['ERR_FAILED'] })
    await page.getByRole('button', { name: 'Extend: Algebra' }).click()
    const form = page.getByRole('dialog', { name: 'Extend the access' })
    await form.getByText('Apr 28, 2031, 11:59 PM').waitFor()
    await page.route('**/extend', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await form.getByRole('button', { name: 'Extend the access' }).click()
    await form.getByRole('alert').waitFor()
    await page.unroute('**/extend')
    await form.getByRole('button', { name: 'Extend the access' }).click()
    await form.waitFor({ state: 'hidden' })
    await done()
    const { access_due_date } = await fixture.api('GET', `/product_accesses/${access.id}`)
    // Summer time has begun in between.
    assert.equal(access_due_date, '2031-04-28T22:59:59.999Z')
  })

  it('does not overwrite another operator’s change of an access, and loads the current version', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    const access = await createAccess(fixture, user.id, 'Algebra', { access_due_date: '2027-02-10T12:00:00Z' })
    const { page, done } = await openConsole(fixture.token, path, { expected: ['412'] })
    await page.getByRole('button', { name: 'Due date: Algebra' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('No limit').check()
    await fixture.api('PUT', `/product_accesses/${access.id}`, { access_due_date: '2028-03-10T12:00:00Z' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form
      .getByText('Someone else has changed this in the meantime. Check the current values, then try again.')
      .waitFor()
    await form.getByRole('button', { name: 'Load the current version' }).click()
    await form.getByRole('textbox', { name: 'Due date' }).and(page.locator('[value="Mar 10, 2028"]')).waitFor()
    assert.equal(await form.getByLabel('Time', { exact: true }).inputValue(), '12:00')
    await form.getByLabel('No limit').check()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'No limit' }).waitFor()
    await done()
  })

  it('records the progress of an access and shows it', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    const { id } = await createAccess(fixture, user.id, 'Algebra')
    const { page, done } = await openConsole(fixture.token, path)
    await page.getByRole('button', { name: 'Progress: Algebra' }).click()
    const form = page.getByRole('dialog', { name: 'Record progress' })
    await form.getByLabel('Progress in percent').fill('80')
    await form.getByLabel('Grade', { exact: true }).fill('9.5')
    await form.getByLabel('Grade in words').fill('Excellent')
    await form.getByLabel('Passed').check()
    await form.getByLabel('Certificate').fill('not an address')
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('textbox', { name: 'Certificate', description: /begins with https/ }).waitFor()
    await form.getByLabel('Certificate').fill('https://example.com/1')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: /80%.*Passed.*Grade 9.5 · Excellent.*Certificate/ }).waitFor()
    const now = await fixture.api('GET', `/product_accesses/${id}`)
    assert.deepEqual(
      [now.progress, now.grade, now.concept_grade, now.passed, now.certificate_url, now.started_at],
      [80, 9.5, 'Excellent', true, 'https://example.com/1', null],
    )
    await done()
  })
})

describe('the timeline of a user', () => {
  it('merges the events of a user and of the accesses, newest first, page by page', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    const { id } = await createAccess(fixture, user.id, 'Algebra')
    // The events of both histories alternate, and each history is longer than a page.
    for (let n = 1; n <= 25; n++) {
      await fixture.api('PATCH', `/users/${user.id}`, { phone: String(n) })
      await fixture.api('PUT', `/product_accesses/${id}`, { status: n % 2 ? 'without_access' : 'with_access' })
    }
    const { name } = await call('GET', '/admin/operator', undefined, fixture.token)
    const { page, done } = await openConsole(fixture.token, path)
    const items = page
      .getByRole('list', { name: 'Timeline' })
      .getByRole('listitem')
      .filter({ hasText: ` · operator ${name}` })
    await items.first().waitFor()
    assert.equal(await items.count(), 20)
    const older = page.getByRole('button', { name: 'Show older events' })
    while (await older.isVisible()) {
      const before = await items.count()
      await older.click()
      await items.nth(before).waitFor()
    }
    const titles = (await items.allTextContents()).map(
      (text) => /^(The user|Access to Algebra).*?(created|changed|granted)/.exec(text)?.[0],
    )
    const turns = Array.from({ length: 25 }, () => [
      'Access to Algebra was changed',
      'The user’s data was changed',
    ]).flat()
    assert.deepEqual(titles, [...turns, 'Access to Algebra was granted', 'The user was created'])
    await done()
  })

  it('shows who changed an access, the old and new values, and the request id to copy', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    const { id } = await createAccess(fixture, user.id, 'Algebra')
    const issued = await fixture.api('POST', '/tokens', { name: 'Checkout' })
    const change = { status: 'without_access' }
    await call('PUT', `/v1/stores/${fixture.store}/product_accesses/${id}`, change, issued.token)
    const { page, done } = await openConsole(fixture.token, path)
    const item = page.getByRole('listitem').filter({ hasText: 'Access to Algebra was changed.' })
    await item.getByText('token Checkout').waitFor()
    await item.getByText(/Status: With access.*Without access/).waitFor()
    await item.getByRole('button', { name: 'Copy the request ID' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await done()
  })

  it('folds progress into one line that names the fields, and the changes of one request', async () => {
    const fixture = await createFixture()
    await fixture.api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    const { results } = await fixture.api('POST', '/users/batch', {
      items: [{ ...ada, product_accesses: [{ slug: 'algebra' }] }],
    })
    const path = `/s/${fixture.store}/users/${results[0].id}`
    const [access] = (await fixture.api('GET', `/product_accesses?user_id=${results[0].id}`)).data
    for (const change of [{ progress: 10 }, { progress: 50 }, { progress: 90, grade: 7 }])
      await fixture.api('PATCH', `/product_accesses/${access.id}`, change)
    const { page, done } = await openConsole(fixture.token, path)
    const list = page.getByRole('list', { name: 'Timeline' })
    const progress = list.getByRole('listitem').filter({ hasText: 'Progress in Algebra was recorded.' })
    await progress.getByText(/^Changed: (Progress, Grade|Grade, Progress) · 3 times$/).waitFor()
    assert.equal(await progress.count(), 1)
    assert.equal(await list.getByText('The user was created.').count(), 0)
    await list.getByRole('button', { name: 'Show 1 more event of this request' }).click()
    await list.getByText('The user was created.').waitFor()
    await assertPageIsAccessible(page)
    await done()
  })

  it('shows a bulk change as one line with a link', async () => {
    const fixture = await createFixture()
    const { user, path } = await createUser(fixture)
    await createAccess(fixture, user.id, 'Algebra')
    await createAccess(fixture, user.id, 'Logic')
    const { id } = await fixture.api('POST', '/bulk_changes', {
      filter: { user_ids: [user.id] },
      change: { status: 'without_access' },
    })
    while ((await fixture.api('GET', `/bulk_changes/${id}`)).state !== 'done') await pause(200)
    const { page, done } = await openConsole(fixture.token, path)
    const link = page.getByRole('list', { name: 'Timeline' }).getByRole('link', { name: `Bulk change ${id}` })
    await link.waitFor()
    assert.equal(await link.count(), 1)
    await page.getByText('1 more access').waitFor()
    assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/bulk-changes/${id}$`))
    await done()
  })
})
