import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page, Request } from 'playwright-core'
import { assertPageIsAccessible, countStats, createFixture, openConsole, origin, type Fixture } from './service.ts'

const ada = { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', external_id: 'crm-7' }
const grace = { name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' }

describe('the list of users', () => {
  it('finds users by name, email, phone, external id and id while the operator types', async () => {
    const { token, store, api } = await createFixture()
    const { id } = await api('POST', '/users', { ...ada, phone: '+34 600-123 456' })
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
    // Between two texts that find the same, another one shows that the second has been searched for.
    for (const text of ['6001 23', 'crm', id]) {
      await finds('hopper', ['Grace Hopper'])
      await finds(text, ['Ada Lovelace'])
    }
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
    await page.getByText('No users found. The search covers names').waitFor()
    await page.getByRole('button', { name: 'Show all users' }).click()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await done()
  })

  it('is reached with / from every screen, and opens the first user that is found with Enter', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    await api('POST', '/users', grace)
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    await page.getByRole('heading', { name: 'Products' }).waitFor()
    await page.keyboard.press('/')
    await page.getByLabel('Find users').and(page.locator(':focus')).waitFor()
    await page.getByRole('heading', { name: 'Users' }).click()
    await page.keyboard.press('/')
    await page.getByLabel('Find users').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('grace hop')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    await page.goBack()
    await page.getByLabel('Find users').waitFor()
    assert.equal(await page.getByLabel('Find users').inputValue(), 'grace hop')
    await done()
  })

  it('keeps what is typed after / while the code of the screen is still being loaded', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    await api('POST', '/users', grace)
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    // The focus stays on this link until the search is there.
    await page.getByRole('link', { name: 'Products' }).click()
    await page.getByRole('heading', { name: 'Products' }).waitFor()
    let release = () => {}
    const typed = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/users-[^/]*\.js/, async (route) => {
      await typed
      await route.continue()
    })
    await page.keyboard.press('/')
    await page.keyboard.type('grace hopx')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    release()
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    await page.goBack()
    assert.equal(await page.getByLabel('Find users').inputValue(), 'grace hop')
    await done()
  })

  it('opens nobody with Enter after an accent alone, for which the list shows everyone', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    // Enter asks for one user at the same time as the list asks for its page.
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const listed = page.waitForResponse(/users\?.*limit=50/)
    await page.getByLabel('Find users').fill('´')
    await page.keyboard.press('Enter')
    await listed
    assert.deepEqual(
      asked.filter((url) => /limit=1\b/.test(url)),
      [],
    )
    await done()
  })

  it('finds everyone in a store that one request cannot examine, in their order and each once', async () => {
    const { token, store, api } = await createFixture()
    // A request for one word examines 9,500 users by name. The needles are in each part, and next to its ends.
    const isNeedle = (n: number) => n % 700 === 350 || (n > 9490 && n < 9510)
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

  it('searches for each letter at once; it shows what it has found, and looks up an external id, once the operator pauses', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    await api('POST', '/users', grace)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const lookups: (string | null)[] = []
    page.on('request', (request) => {
      const id = new URL(request.url()).searchParams.get('external_id')
      if (id !== null) lookups.push(id)
    })
    const searched = page.waitForResponse(/users\?.*q=ada/)
    for (const text of ['a', 'ad', 'ada']) await page.getByLabel('Find users').fill(text)
    await searched
    assert.equal(await page.getByRole('link', { name: 'Grace Hopper' }).count(), 1)
    // A lookup for each letter would use up the operator's 600 requests a minute.
    assert.deepEqual(lookups, [])
    await page.clock.resume()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await done()
    assert.deepEqual(lookups, ['ada'])
  })

  it('examines nobody again when the operator types on', async () => {
    const { token, store, api } = await createFixture()
    await api('POST', '/users', ada)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    // After five seconds, which a busy machine may take, the search would begin again.
    await page.clock.setFixedTime(Date.now())
    const [first] = (await api('GET', '/users')).data
    const asked: (string | null)[][] = []
    await page.route(/\/users\?.*q=/, async (route) => {
      const { searchParams } = new URL(route.request().url())
      asked.push([searchParams.get('q'), searchParams.get('after')])
      const isFirst = !searchParams.has('after')
      await route.fulfill({
        json: isFirst
          ? { data: [{ ...first, id: '900', name: 'Love', last_name: 'Adams' }], next: 'x' }
          : { data: [first], next: null },
      })
    })
    const box = page.getByLabel('Find users')
    await box.fill('love')
    await page.getByRole('link', { name: 'Love Adams' }).waitFor()
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await page.getByText('Searching further').waitFor({ state: 'detached' })
    await box.fill('lovelace')
    await page.getByRole('link', { name: 'Love Adams' }).waitFor({ state: 'detached' })
    assert.deepEqual(await page.getByRole('table', { name: 'Users' }).getByRole('link').allTextContents(), [
      'Ada Lovelace',
    ])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await done()
    assert.deepEqual(asked, [
      ['love', null],
      ['love', 'x'],
    ])
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
    await countStats({ api })
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
    const country = form.getByRole('combobox', { name: 'Country' })
    await country.fill('Atlantis')
    await country.press('Enter')
    await form
      .getByRole('combobox', { name: 'Country', description: /Nothing in the list is called “Atlantis”/ })
      .waitFor()
    await country.fill('únited k')
    await page.getByRole('option', { name: 'United Kingdom' }).waitFor()
    await country.press('Enter')
    assert.equal(await country.inputValue(), 'United Kingdom')
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
    await form
      .getByRole('textbox', {
        name: 'Email',
        description: /There is already a user with this email in the store.*Open/,
      })
      .waitFor()
    assert.equal(await form.getByRole('alert').filter({ hasText: 'Request ID' }).count(), 0)
    await form.getByRole('link', { name: 'Open the user with this email' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await done()
  })

  it('shows next to each input why its value is invalid, and asks before what was typed is lost', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/products`)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: 'Create a user' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Email').fill('not an address')
    await form.getByRole('button', { name: 'Create a user' }).click()
    await form.getByRole('textbox', { name: 'Email', description: /Enter an email address/ }).waitFor()
    await form.getByRole('textbox', { name: 'First name', description: 'Fill in this field.' }).waitFor()
    const focused = form.getByRole('textbox', { name: 'First name' })
    assert.equal(await focused.evaluate((input) => input === document.activeElement), true)
    const question = form.getByText('Discard what you have entered?')
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 500),
      () => page.evaluate(() => history.back()),
    ]) {
      await leave()
      await question.waitFor()
      await form.getByRole('button', { name: 'Keep editing' }).click()
      await question.waitFor({ state: 'detached' })
    }
    assert.equal(await form.getByLabel('Email').inputValue(), 'not an address')
    await page.keyboard.press('Escape')
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Discard' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Create a user' }).click()
    assert.equal(await form.getByLabel('Email').inputValue(), '')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
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
})

const alan = { name: 'Alan', last_name: 'Turing', email: 'alan@example.com' }

async function createProducts(api: Fixture['api'], names: string[]): Promise<any[]> {
  const products = []
  for (const name of names)
    products.push(await api('POST', '/products', { name, slug: name.toLowerCase(), type: 'course' }))
  return products
}

/** Creates users with the names N0, N1 and so on. The list begins with the newest. */
async function createNumbered(api: Fixture['api'], count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, n) => ({ name: `N${n}`, last_name: 'X', email: `n${n}@example.com` }))
  await api('POST', '/users/batch', { items })
}

/** Searches until the list has only this person, and selects the person. */
async function findAndSelect(page: Page, text: string, name: string): Promise<void> {
  await page.getByLabel('Find users').fill(text)
  await page.waitForFunction(() => document.querySelectorAll('table:not([data-stale]) tbody tr').length === 1)
  await page.getByRole('checkbox', { name: `Select ${name}` }).check()
}

function barOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Selected users' })
}

/** Opens the dialog for the selected users and chooses the products. */
async function openGrant(page: Page, products: string[]): Promise<Locator> {
  await barOf(page).getByRole('button', { name: 'Grant access' }).click()
  const form = page.getByRole('dialog', { name: 'Grant access' })
  for (const name of products) {
    await form.getByRole('combobox', { name: 'Products' }).click()
    await page.getByRole('option', { name }).click()
    await page.getByRole('option').first().waitFor({ state: 'hidden' })
  }
  return form
}

async function submit(form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Grant access' }).click()
}

describe('access for several users', () => {
  it('grants several products until a date to the people of several searches', async () => {
    const { token, store, api } = await createFixture()
    for (const user of [ada, grace, alan]) await api('POST', '/users', user)
    await createProducts(api, ['Algebra', 'Logic', 'Music'])
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await findAndSelect(page, 'ada love', 'Ada Lovelace')
    await findAndSelect(page, 'hopper', 'Grace Hopper')
    await barOf(page).getByText('2 selected').waitFor()
    const form = await openGrant(page, ['Algebra', 'Logic'])
    await form.getByText('2 users: Ada Lovelace, Grace Hopper').waitFor()
    await form.getByLabel('Until a date that I choose').check()
    // The first option is the name of the menu, and the second one this month.
    await form.getByLabel('End of a month').selectOption({ index: 3 })
    await form
      .getByRole('status')
      .getByText(/^Logic: access until .*\d{4}/)
      .waitFor()
    await submit(form)
    await page.getByText('4 accesses were granted.', { exact: true }).waitFor()
    await form.waitFor({ state: 'hidden' })
    await barOf(page).getByText('Select users to grant them access in one go.').waitFor()
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
    const button = barOf(page).getByRole('button', { name: 'Grant access' })
    await page.waitForFunction((element) => element === document.activeElement, await button.elementHandle())
    await done()
    const { data } = await api('GET', '/product_accesses')
    const now = new Date()
    const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3) - 1).toISOString()
    assert.deepEqual(
      data.map((access: any) => `${access.user.name} ${access.product.name} ${access.access_due_date}`).toSorted(),
      [`Ada Algebra ${end}`, `Ada Logic ${end}`, `Grace Algebra ${end}`, `Grace Logic ${end}`],
    )
  })

  it('does not change the access of someone who already has one, says how many have, and offers to renew it', async () => {
    const { token, store, api } = await createFixture()
    const { id: user_id } = await api('POST', '/users', ada)
    await api('POST', '/users', grace)
    const [algebra] = await createProducts(api, ['Algebra'])
    const before = { user_id, product_id: algebra.id, access_due_date: '2031-01-01T00:00:00.000Z' }
    const { id } = await api('POST', '/product_accesses', { ...before, status: 'without_access' })
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await submit(await openGrant(page, ['Algebra']))
    await page.getByText('1 access was granted. 1 person already had one, which was not changed.').waitFor()
    const stateOf = async () => {
      const { status, access_due_date } = await api('GET', `/product_accesses/${id}`)
      return [status, access_due_date]
    }
    assert.deepEqual(await stateOf(), ['without_access', before.access_due_date])
    const form = page.getByRole('dialog', { name: 'Grant access' })
    await form.getByRole('listitem').filter({ hasText: 'Ada Lovelace, Algebra Closed' }).getByText('No limit').waitFor()
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Renew 1 access' }).click()
    await page.getByText('The bulk change is done: 1 access changed.').waitFor()
    await done()
    assert.deepEqual(await stateOf(), ['with_access', null])
    assert.equal((await api('GET', '/product_accesses')).data.length, 2)
  })

  it('keeps the selection over pages, orders, searches and the page of a person, until the store changes', async () => {
    const { token, store, api } = await createFixture()
    const other = await createFixture()
    await other.api('POST', '/users', ada)
    await createNumbered(api, 60)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    const bar = barOf(page)
    await page.getByRole('checkbox', { name: 'Select N59 X' }).check()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('checkbox', { name: 'Select N9 X' }).check()
    await page.getByText('Oldest first').click()
    await page.getByRole('checkbox', { name: 'Select N0 X' }).check()
    await findAndSelect(page, 'n33', 'N33 X')
    await bar.getByText('4 selected').waitFor()
    assert.deepEqual(await bar.getByRole('listitem').allTextContents(), ['N59 X', 'N9 X', 'N0 X', 'N33 X'])
    await page.getByRole('link', { name: 'N33 X' }).click()
    await page.getByRole('heading', { name: 'N33 X' }).waitFor()
    await page.goBack()
    await bar.getByText('4 selected').waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'Select N33 X' }).isChecked(), true)
    await page.goto(`${origin}/console#/s/${other.store}/users`)
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await bar.getByText('Select users to grant them access').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'N33 X' }).waitFor()
    await bar.getByText('Select users to grant them access').waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'Select N33 X' }).isChecked(), false)
    await done()
  })

  it('shows ten of the selected names and the others on demand, and removes one or all of them', async () => {
    const { token, store, api } = await createFixture()
    await createNumbered(api, 14)
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    const bar = barOf(page)
    const names = bar.getByRole('button', { name: /^Remove / })
    const hasFocus = () => bar.evaluate((element) => element === document.activeElement)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await bar.getByText('14 selected').waitFor()
    assert.equal(await names.count(), 10)
    await bar.getByRole('button', { name: 'and 4 more' }).click()
    assert.equal(await names.count(), 14)
    await bar.getByRole('button', { name: 'Remove N2 X from the selection' }).press('Enter')
    await bar.getByText('13 selected').waitFor()
    assert.equal(await hasFocus(), true)
    assert.equal(await page.getByRole('checkbox', { name: 'Select N2 X' }).isChecked(), false)
    await bar.getByRole('button', { name: 'Show fewer' }).click()
    assert.equal(await names.count(), 10)
    await bar.getByRole('button', { name: 'Clear the selection' }).click()
    await bar.getByText('Select users to grant them access').waitFor()
    assert.equal(await hasFocus(), true)
    await bar.getByRole('button', { name: 'Grant access' }).press('Enter')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await done()
  })

  it('sends more than 100 accesses in batches, shows the progress, and continues after a failure', async () => {
    const { token, store, api } = await createFixture()
    await createNumbered(api, 60)
    await createProducts(api, ['Algebra', 'Logic'])
    const { page, done } = await openConsole(token, `/s/${store}/users`, { expected: ['503'] })
    const sizes: number[] = []
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/product_accesses/batch', async (route) => {
      sizes.push(route.request().postDataJSON().items.length)
      if (sizes.length !== 2) return route.continue()
      await isReleased
      return route.fulfill({ status: 503, json: { type: 'service_unavailable', code: 'service_unavailable' } })
    })
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'N9 X', exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    const form = await openGrant(page, ['Algebra', 'Logic'])
    await form.getByText('and 50 more').waitFor()
    await submit(form)
    await form.getByRole('progressbar', { name: '100 of 120 accesses processed' }).waitFor()
    await assertPageIsAccessible(page)
    release()
    await form.getByText('The service is not available at the moment.').waitFor()
    await submit(form)
    await page.getByText('120 accesses were granted.', { exact: true }).waitFor()
    await done()
    assert.deepEqual(sizes, [100, 20, 20])
  })

  it('stops after the batch under way when its dialog is closed, and says what was not granted', async () => {
    const { token, store, api } = await createFixture()
    await createNumbered(api, 50)
    await createProducts(api, ['Algebra', 'Logic', 'Music'])
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/product_accesses/batch', async (route) => {
      await isReleased
      return route.continue()
    })
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    const form = await openGrant(page, ['Algebra', 'Logic', 'Music'])
    await submit(form)
    await form.getByText('0 of 150 accesses processed').waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    release()
    await page
      .getByText('100 accesses were granted. 50 accesses were not granted, because the dialog was closed.')
      .waitFor()
    await done()
  })

  it('does not pass off accesses of an earlier attempt as accesses until another date', async () => {
    const { token, store, api } = await createFixture()
    await createNumbered(api, 50)
    await createProducts(api, ['Algebra', 'Logic', 'Music'])
    const { page, done } = await openConsole(token, `/s/${store}/users`, { expected: ['503'] })
    let batches = 0
    await page.route('**/product_accesses/batch', (route) =>
      ++batches === 2
        ? route.fulfill({ status: 503, json: { type: 'service_unavailable', code: 'service_unavailable' } })
        : route.continue(),
    )
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    const form = await openGrant(page, ['Algebra', 'Logic', 'Music'])
    await submit(form)
    await form.getByText('The service is not available at the moment.').waitFor()
    await form.getByLabel('Until a date that I choose').check()
    await submit(form)
    await page.getByText(/^50 accesses were granted\. \d+ people already had one, which was not changed\.$/).waitFor()
    await done()
  })

  it('does no harm if a batch is sent again because its response was lost', async () => {
    const { token, store, api } = await createFixture()
    await createNumbered(api, 3)
    await createProducts(api, ['Algebra'])
    const { page, done } = await openConsole(token, `/s/${store}/users`, { expected: ['ERR_FAILED'] })
    let isLost = true
    await page.route('**/product_accesses/batch', async (route) => {
      if (!isLost) return route.continue()
      isLost = false
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    const form = await openGrant(page, ['Algebra'])
    await submit(form)
    await form.getByText(/^There was no response/).waitFor()
    const before = await api('GET', '/product_accesses')
    await submit(form)
    await page.getByText('No access was granted. 3 people already had one, which was not changed.').waitFor()
    await done()
    assert.equal(before.data.length, 3)
    assert.deepEqual(await api('GET', '/product_accesses'), before)
  })

  it('names the person whose access could not be granted, says why, and keeps the person selected', async () => {
    const { token, store, api } = await createFixture()
    const erased = await api('POST', '/users', ada)
    await api('POST', '/users', grace)
    await createProducts(api, ['Algebra'])
    const { page, done } = await openConsole(token, `/s/${store}/users`)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    const form = await openGrant(page, ['Algebra'])
    await api('DELETE', `/users/${erased.id}`)
    await submit(form)
    await page.getByText('1 access was granted. 1 access could not be granted.').waitFor()
    await form.getByText('Ada Lovelace, Algebra: This user no longer exists.').waitFor()
    await assertPageIsAccessible(page)
    await form.getByText('Close', { exact: true }).click()
    await form.waitFor({ state: 'hidden' })
    await barOf(page).getByText('1 selected').waitFor()
    assert.deepEqual(await barOf(page).getByRole('listitem').allTextContents(), ['Ada Lovelace'])
    await done()
  })
})
