import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { type Receiver, startReceiver } from './receiver.ts'
import { assertPageIsAccessible, createFixture, openConsole, type Fixture } from './service.ts'

const receivers: Receiver[] = []

after(() => receivers.forEach(({ close }) => close()))

async function openReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

interface Endpoint extends Fixture {
  receiver: Receiver
  id: string
  path: string
}

/** Creates a store with an endpoint for products, and a product, whose event is delivered to it. */
async function createEndpoint({ role = 'admin', status = 204 }: { role?: 'admin' | 'viewer'; status?: number } = {}) {
  const place = await createFixture(role)
  const receiver = await openReceiver()
  receiver.status = status
  const { id } = await place.api('POST', '/webhook_endpoints', { url: receiver.url, types: ['product.created'] })
  await place.api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  const endpoint: Endpoint = { ...place, receiver, id, path: `/s/${place.store}/webhooks/${id}` }
  return endpoint
}

async function secretIn(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This is shown only once').waitFor()
  return (await dialog.locator('code, pre').first().textContent()) ?? ''
}

function verify(secret: string, { received }: Receiver): any {
  const { body, headers } = received.at(-1) ?? assert.fail('nothing was received')
  return new Webhook(secret).verify(body, headers)
}

describe('the webhook endpoints', () => {
  it('creates an endpoint for chosen events once its form is valid, with a secret that verifies their signatures', async () => {
    const { token, store, api } = await createFixture()
    const receiver = await openReceiver()
    const { page, done } = await openConsole(token, `/s/${store}/webhooks`)
    await page.getByRole('button', { name: 'Create the first webhook endpoint' }).click()
    await page.getByLabel('URL').fill('http://example.com/')
    await page.getByRole('radio', { name: 'Only the events that I choose' }).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Choose at least one event.').waitFor()
    await page.getByText(/Enter a public address that begins with https/).waitFor()
    await assertPageIsAccessible(page)
    const offered = await page.getByRole('checkbox').evaluateAll((all) => all.map((box) => box.getAttribute('value')))
    const { webhooks } = JSON.parse(readFileSync('src/assets/openapi.json', 'utf8'))
    // A test is sent to every endpoint, so it is not offered.
    const types = Object.keys(webhooks).filter((type) => type !== 'webhook_endpoint.test')
    assert.deepEqual(new Set(offered), new Set(types))
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('checkbox', { name: 'Product created' }).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = await secretIn(page)
    await assertPageIsAccessible(page)
    // The sample is the same in every language, so a comment in it would be English for everybody.
    assert.doesNotMatch((await page.getByRole('dialog').locator('pre').last().textContent()) ?? '//', /^\s*\/\//m)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('cell', { name: 'Product created' }).waitFor()
    await page.getByRole('cell', { name: 'Nothing sent yet' }).waitFor()

    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText(/The response was 204, after \d+ ms\./).waitFor()
    assert.equal(verify(secret, receiver).type, 'webhook_endpoint.test')

    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    await page.getByRole('cell', { name: 'Delivered' }).waitFor()
    await page.getByText('Working').waitFor()
    assert.equal(verify(secret, receiver).type, 'product.created')
    await done()
  })

  it('shows the response to a test event that was not delivered', async () => {
    const { token, path, receiver } = await createEndpoint()
    receiver.status = 500
    const { page, done } = await openConsole(token, path)
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('The test event was not delivered').waitFor()
    await page.getByText(/The response was 500, after \d+ ms\./).waitFor()
    await assertPageIsAccessible(page)
    receiver.close()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('The service could not connect to this URL. Check the URL and the receiver.').waitFor()
    await done()
  })

  it('shows the failed deliveries of an endpoint and sends one again', async () => {
    const { token, path, store, receiver } = await createEndpoint({ status: 503 })
    const { page, done } = await openConsole(token, path)
    await page.getByText('The latest attempts failed').waitFor()
    await page.getByText('Pending', { exact: true }).first().click()
    const row = page.getByRole('row').filter({ hasText: '503' })
    await row.getByRole('cell', { name: 'Pending' }).waitFor()
    await row.getByRole('cell', { name: 'Product created' }).waitFor()
    await page.getByText('Failed', { exact: true }).first().click()
    await page.getByText('There are no deliveries in this state.').waitFor()
    assert.match(page.url(), /\?state=failed$/)
    await page.reload()
    await page.getByText('There are no deliveries in this state.').waitFor()
    await page.goBack()
    await row.getByRole('cell', { name: 'Pending' }).waitFor()
    await page.getByText('All', { exact: true }).click()
    await page.getByRole('button', { name: /^Send event \d+ again$/ }).click()
    await page.getByText('The event was sent, but the response was 503.').waitFor()
    receiver.status = 204
    await page.getByRole('button', { name: /^Send event \d+ again$/ }).click()
    await page.getByText('The event was delivered.').waitFor()
    await page.getByRole('cell', { name: 'Delivered' }).waitFor()

    await page.getByRole('button', { name: /^Show event \d+$/ }).click()
    await page.getByRole('dialog').getByText('"product.created"').waitFor()
    await page
      .getByRole('dialog')
      .getByText(/^A product was created\. · Algebra/)
      .waitFor()
    await assertPageIsAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All webhook endpoints' }).click()
    await page.waitForURL(`**/console#/s/${store}/webhooks`)
    await done()
  })

  it('lists deliveries newest first or oldest first, with the attempts and the time of the last one', async () => {
    const { token, id, path, api } = await createEndpoint()
    const url = `/webhook_endpoints/${id}/deliveries`
    const arrived = async (count: number) => {
      while ((await api('GET', `${url}?state=delivered`)).data.length < count) await pause(100)
    }
    await arrived(1)
    const [{ event_id }] = (await api('GET', url)).data
    await api('POST', `${url}/${event_id}/redeliver`)
    await api('POST', '/products', { name: 'Botany', slug: 'botany', type: 'course' })
    await arrived(2)
    const deliveries: any[] = (await api('GET', url)).data
    assert.deepEqual(
      deliveries.map(({ attempts }) => attempts),
      [1, 2],
    )
    const { page, done } = await openConsole(token, path)
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody').getByRole('row')
    const shows = async (expected: any[]) => {
      await rows.first().getByRole('cell', { name: expected[0].event_id, exact: true }).waitFor()
      for (const [i, { event_id, attempts, last_attempt_at }] of expected.entries()) {
        const cells = rows.nth(i).getByRole('cell')
        const times = await cells
          .locator('time')
          .evaluateAll((found) => found.map((time) => time.getAttribute('datetime')))
        assert.deepEqual([await cells.nth(0).innerText(), await cells.nth(3).innerText()], [event_id, String(attempts)])
        assert.deepEqual(times, [last_attempt_at])
      }
    }
    await shows(deliveries)
    await page.getByText('Oldest first').click()
    await shows(deliveries.toReversed())
    await page.getByText('Delivered', { exact: true }).first().click()
    await page.waitForURL(/\?state=delivered&order=asc$/)
    await page.reload()
    await shows(deliveries.toReversed())
    await done()
  })

  it('enables a disabled endpoint, which then gets its pending deliveries', async () => {
    const { token, path, receiver } = await createEndpoint({ status: 410 })
    const { page, done } = await openConsole(token, path)
    await page.getByText('This endpoint is disabled and gets no events').waitFor()
    await assertPageIsAccessible(page)
    receiver.status = 204
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('The endpoint is enabled. Its pending deliveries are sent now.').waitFor()
    await page.getByText('Working').waitFor()
    await page.getByRole('cell', { name: 'Delivered' }).waitFor()
    await done()
  })

  it('tries an endpoint that is down, which then gets everything that waits', async () => {
    const { token, id, path, receiver, api } = await createEndpoint({ status: 503 })
    for (let i = 0; i < 20; i++) await api('POST', '/products', { name: 'Sets', slug: `sets-${i}`, type: 'course' })
    while ((await api('GET', `/webhook_endpoints/${id}`)).state !== 'down') await pause(200)
    const { page, done } = await openConsole(token, path)
    await page.getByText('The receiver is down').waitFor()
    await page.getByText(/^Next probe [A-Z][a-z]{2} /).waitFor()
    const since = page.getByText(/^since [A-Z][a-z]{2} /).locator('time')
    const { failing_since } = await api('GET', `/webhook_endpoints/${id}`)
    assert.equal(await since.getAttribute('datetime'), failing_since)
    await page.getByRole('cell', { name: 'When the receiver is back' }).first().waitFor()
    await assertPageIsAccessible(page)
    receiver.status = 204
    await page.getByText('503. The server of the receiver, or what stands in front of it, is down').waitFor()
    await page.getByRole('button', { name: 'Send all now' }).click()
    await page.getByText('The oldest pending delivery is tried now.').waitFor()
    await page.getByText('Working').waitFor()
    while ((await api('GET', `/webhook_endpoints/${id}/deliveries?state=pending`)).data.length > 0) await pause(200)
    await done()
  })

  it('is seen in the menu and on the overview while it fails, and sends all that waits on demand', async () => {
    const { token, store, path, receiver, api, id } = await createEndpoint({ status: 404 })
    await api('POST', '/products', { name: 'Sets', slug: 'sets', type: 'course' })
    while ((await api('GET', `/webhook_endpoints/${id}`)).state !== 'failing') await pause(200)
    const { page, done } = await openConsole(token, `/s/${store}`)
    await page
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('img', { name: 'Webhooks do not arrive' })
      .waitFor()
    await page.getByRole('alert').getByRole('link', { name: receiver.url }).click()
    await page.waitForURL((url) => url.hash === `#${path}`)
    await page.getByText('404. The receiver has nothing at this URL.').waitFor()
    receiver.status = 204
    await page.getByRole('button', { name: 'Send all now' }).click()
    while ((await api('GET', `/webhook_endpoints/${id}/deliveries?state=pending`)).data.length > 0) await pause(200)
    await page.getByRole('img', { name: 'Webhooks do not arrive' }).waitFor({ state: 'detached' })
    await done()
  })

  it('changes the URL and the events of an endpoint, and sends only what was changed', async () => {
    const { token, path, id, api, receiver } = await createEndpoint()
    const { page, done } = await openConsole(token, path)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('URL').fill(`${receiver.url}/new`)
    assert.equal(await page.getByRole('checkbox', { name: 'Product created' }).isChecked(), true)
    await api('PATCH', `/webhook_endpoints/${id}`, { types: ['user.created'] })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${receiver.url}/new`).waitFor()
    assert.deepEqual((await api('GET', `/webhook_endpoints/${id}`)).types, ['user.created'], 'a colleague’s choice')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('radio', { name: 'All events' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('All events', { exact: true }).waitFor()
    await done()
  })

  it('rotates the secret of an endpoint, and signs with the new secret only after a leak', async () => {
    const { token, path, receiver } = await createEndpoint()
    const { page, done } = await openConsole(token, path)
    const secrets: string[] = []
    for (const why of ['It is a planned replacement', 'The secret may have leaked']) {
      await page.getByRole('button', { name: 'Rotate the secret' }).click()
      await page.getByRole('radio', { name: why }).check()
      await page.getByRole('button', { name: 'Create a new secret' }).click()
      secrets.push(await secretIn(page))
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('The test event was delivered').waitFor()
    const [older = '', newest = ''] = secrets
    assert.equal(verify(newest, receiver).type, 'webhook_endpoint.test')
    assert.throws(() => verify(older, receiver))
    await done()
  })

  it('deletes an endpoint', async () => {
    const { token, path } = await createEndpoint()
    const { page, done } = await openConsole(token, path, { expected: ['404'] })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no webhook endpoints yet.').waitFor()
    await done()
  })
})
