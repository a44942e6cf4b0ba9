/** A replay may differ from the first response, but only if somebody has changed the record that it shows. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkReplays } from './checks.ts'
import * as contract from '../contract.ts'
import { TextHeaders } from '../world/fetch-api.ts'
import type { Exchange } from '../clients/history.ts'

const USER = { id: '5', email: 'Ada@example.com', name: 'Ada' }
const ACCESS = { id: '9', user: { id: '5', email: 'ada@example.com' }, product: { id: '2' }, status: 'with_access' }

const items = (on_existing: string, email: string, dry_run = false) =>
  contract.createUsers(
    'red',
    'token',
    [{ name: 'Ada', last_name: 'Lovelace', email, external_id: 'crm-1' }],
    on_existing,
    dry_run,
  )
const grants = (on_existing: string, product_id: string) =>
  contract.grantAccesses('red', 'token', [{ user_id: '5', product_id }], on_existing)

function exchangeOf(request: contract.ApiRequest, start: number, json: Exchange['json'] = {}): Exchange {
  const known = { status: 201, headers: new TextHeaders(), text: JSON.stringify(json), at: start, end: start + 1 }
  return { ...known, name: 'a client', request, start, isReplay: true, wasResent: false, isRejected: false, json }
}

/** True if the request explains that a replay of the record differs from the first response. */
function excuses(request: contract.ApiRequest, json: Exchange['json']): boolean {
  const exchange = exchangeOf({ method: 'POST', path: '/v1/stores/red/users', token: 'token' }, 10, json)
  const otherReplays = [{ store: 'red', exchange, first: '{}' }]
  return checkReplays({ otherReplays, exchanges: [exchangeOf(request, 0), exchange] }).length === 0
}

it('excuses a replay that differs after a batch which may have updated the user', () => {
  assert.equal(excuses(items('update', 'ada@EXAMPLE.com'), USER), true)
  assert.equal(excuses(items('update', 'ada@example.com'), ACCESS), true)
  assert.equal(excuses(grants('update', '2'), ACCESS), true)
})

it('reports a replay that differs after a batch which names other records, or changes none', () => {
  assert.equal(excuses(items('update', 'grace@example.com'), USER), false)
  assert.equal(excuses(items('skip', 'ada@example.com'), USER), false)
  assert.equal(excuses(items('fail', 'ada@example.com'), USER), false)
  assert.equal(excuses(items('update', 'ada@example.com', true), USER), false)
  assert.equal(excuses(grants('update', '2'), USER), false)
  assert.equal(excuses(grants('update', '3'), ACCESS), false)
  assert.equal(excuses(items('update', 'grace@example.com'), ACCESS), false)
})
