import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { type Receiver, startReceiver } from './receiver.ts'
import { inspectPage, inspectScreen, newPlace, openConsole, type Place } from './service.ts'

const receivers: Receiver[] = []

after(() => receivers.forEach(({ close }) => close()))

async function newReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

interface Endpoint extends Place {
  receiver: Receiver
  id: string
  path: string
}

/** A store with an endpoint that has got its one event, of a product. */
async function newEndpoint({ role = 'admin', status = 204 }: { role?: 'admin' | 'viewer'; status?: number } = {}) {
  const place = await newPlace(role)
  const receiver = await newReceiver()
  receiver.status = status
  const { id } = await place.api('POST', '/webhook_endpoints', { url: receiver.url, types: ['product.created'] })
  await place.api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  const endpoint: Endpoint = { ...place, receiver, id, path: `/s/${place.store}/webhooks/${id}` }
  return endpoint
}

async function secretIn(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This is shown once').waitFor()
  return (await dialog.locator('code, pre').first().textContent()) ?? ''
}

function verify(secret: string, { received }: Receiver): any {
  const { body, headers } = received.at(-1) ?? assert.fail('nothing was received')
  return new Webhook(secret).verify(body, headers)
}

describe('webhooks', () => {
  it('creates one for some kinds of events, with a secret that verifies', async () => {
    const { token, store, api } = await newPlace()
    const receiver = await newReceiver()
    const { page, done } = await openConsole(token, `/s/${store}/webhooks`)
    await page.getByRole('button', { name: 'Create the first webhook' }).click()
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('radio', { name: 'Only what I choose' }).check()
    assert.equal(await page.getByRole('button', { name: 'Create', exact: true }).isDisabled(), true)
    await page.getByRole('checkbox', { name: 'Product created' }).check()
    await inspectPage(page)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = await secretIn(page)
    await inspectPage(page)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('cell', { name: 'Product created' }).waitFor()
    await page.getByRole('cell', { name: 'Nothing sent yet' }).waitFor()

    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/It answered 204 in \d+ ms\./).waitFor()
    assert.equal(verify(secret, receiver).type, 'webhook_endpoint.test')

    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    await page.getByRole('cell', { name: 'Delivered' }).waitFor()
    await page.getByText('Works').waitFor()
    assert.equal(verify(secret, receiver).type, 'product.created')
    await done()
  })

  it('shows beside the input why an address is refused', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/webhooks`, { expected: ['422'] })
    await page.getByRole('button', { name: 'Create the first webhook' }).click()
    await page.getByLabel('Address').fill('http://example.com/')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('must be an https URL').waitFor()
    await page.getByText('Request id').waitFor()
    await done()
  })

  it('says what came back of a test that failed', async () => {
    const { token, path, receiver } = await newEndpoint()
    receiver.status = 500
    const { page, done } = await openConsole(token, path)
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test has not arrived').waitFor()
    await page.getByText(/It answered 500 in \d+ ms\./).waitFor()
    await inspectPage(page)
    receiver.close()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('No connection could be made.').waitFor()
    await done()
  })

  it('shows what fails and when it is tried next, and sends it again', async () => {
    const { token, path, store, receiver } = await newEndpoint({ status: 503 })
    const { page, done } = await openConsole(token, path)
    await page.getByText('The last attempts have failed').waitFor()
    await page.getByText('Waiting', { exact: true }).first().click()
    const row = page.getByRole('row').filter({ hasText: '503' })
    await row.getByRole('cell', { name: 'Waiting' }).waitFor()
    await page.getByText('Given up').first().click()
    await page.getByText('There are none of these.').waitFor()
    await page.getByText('All', { exact: true }).click()
    await page.getByRole('button', { name: /^Send event \d+ again$/ }).click()
    await page.getByText('Sent, but it was answered 503.').waitFor()
    receiver.status = 204
    await page.getByRole('button', { name: /^Send event \d+ again$/ }).click()
    await page.getByText('Sent, and it has arrived.').waitFor()
    await page.getByRole('cell', { name: 'Delivered' }).waitFor()

    await page.getByRole('button', { name: /^Show event \d+$/ }).click()
    await page.getByRole('dialog').getByText('"product.created"').waitFor()
    await inspectPage(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All webhooks' }).click()
    await page.waitForURL(`**/console#/s/${store}/webhooks`)
    await done()
  })

  it('enables one again, which gets what has happened since', async () => {
    const { token, path, receiver } = await newEndpoint({ status: 410 })
    const { page, done } = await openConsole(token, path)
    await page.getByText('Nothing is sent to this address').waitFor()
    await inspectPage(page)
    receiver.status = 204
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Enabled. What waits is sent now.').waitFor()
    await page.getByText('Works').waitFor()
    await page.getByRole('cell', { name: 'Delivered' }).waitFor()
    await done()
  })

  it('changes the address and the kinds of events', async () => {
    const { token, path, receiver } = await newEndpoint()
    const { page, done } = await openConsole(token, path)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Address').fill(`${receiver.url}/new`)
    assert.equal(await page.getByRole('checkbox', { name: 'Product created' }).isChecked(), true)
    await page.getByRole('radio', { name: 'Everything' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${receiver.url}/new`).waitFor()
    await page.getByText('Everything', { exact: true }).waitFor()
    await done()
  })

  it('rotates the secret: for a while both sign, after a leak the new one alone', async () => {
    const { token, path, receiver } = await newEndpoint()
    const { page, done } = await openConsole(token, path)
    const secrets: string[] = []
    for (const why of ['It is time for a new one', 'It may have leaked']) {
      await page.getByRole('button', { name: 'Rotate the secret' }).click()
      await page.getByRole('radio', { name: why }).check()
      await page.getByRole('button', { name: 'Make the new one' }).click()
      secrets.push(await secretIn(page))
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test has arrived').waitFor()
    const [older = '', newest = ''] = secrets
    assert.equal(verify(newest, receiver).type, 'webhook_endpoint.test')
    assert.throws(() => verify(older, receiver))
    await done()
  })

  it('deletes one', async () => {
    const { token, path } = await newEndpoint()
    const { page, done } = await openConsole(token, path, { expected: ['404'] })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no webhook yet.').waitFor()
    await done()
  })

  it('says so when one is not there', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/webhooks/4711`, { expected: ['404'] })
    await page.getByText('Request id').waitFor()
    await done()
  })

  it('shows a viewer all and offers no change, in both appearances and widths', async () => {
    const { token, path, store } = await newEndpoint({ role: 'viewer', status: 410 })
    const changes = /Create|Send|Edit|Rotate|Delete|Enable/
    await inspectScreen(token, path, async (page) => {
      await page.getByText('Nothing is sent to this address').waitFor()
      await page.getByRole('cell', { name: '410' }).waitFor()
      await page.getByRole('button', { name: /^Show event/ }).waitFor()
      assert.equal(await page.getByRole('button', { name: changes }).count(), 0)
    })
    await inspectScreen(token, `/s/${store}/webhooks`, async (page) => {
      await page.getByRole('cell', { name: /Disabled/ }).waitFor()
      assert.equal(await page.getByRole('button', { name: changes }).count(), 0)
    })
  })

  it('can be changed by everybody, in both appearances and widths', async () => {
    const { token, path } = await newEndpoint({ status: 503 })
    await inspectScreen(token, path, async (page) => {
      await page.getByText('The last attempts have failed').waitFor()
      await page.getByRole('button', { name: /^Send event/ }).waitFor()
    })
  })
})
