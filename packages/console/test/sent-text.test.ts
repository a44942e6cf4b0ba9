import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sentText } from '../src/screens/webhooks/sent-text.ts'

function sent(actor: { type: string; id?: string | null; name?: string }): any {
  const event = { id: '1', actor, type: 'user.created' }
  return JSON.parse(sentText(event))
}

it('shows an event as its receiver gets it, without the name of the operator', () => {
  assert.deepEqual(sent({ type: 'operator', id: '7', name: 'Grace' }), {
    id: '1',
    actor: { type: 'operator', id: '7' },
    type: 'user.created',
  })
  for (const actor of [
    { type: 'operator', id: null, name: 'root' },
    { type: 'access_token', id: '8', name: 'Shop sync' },
    { type: 'system' },
  ]) {
    assert.deepEqual(sent(actor).actor, actor)
  }
})
