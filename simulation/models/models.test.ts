import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explore } from './explore.ts'
import { type Guard as CreateGuard, keyedCreate } from './keyed-create.ts'

describe('the keyed create', () => {
  it('keeps its invariants in every interleaving', () => {
    const { violation, story, states } = explore(keyedCreate())
    assert.equal(violation, undefined, format(violation, story))
    assert.ok(states > 10_000)
  })

  const guards: Record<CreateGuard, RegExp> = {
    'the claim is inserted in the batch of its user': /gets email_taken for the user of its own key/,
    isEventOfThisAttempt: /exists again after the erasure/,
    applied: /was rejected and has created a user/,
    superseded: /was rejected and has created a user/,
  }
  for (const [guard, expected] of entries(guards)) {
    it(`violates an invariant without the guard "${guard}"`, (t) => {
      const { violation = '', story } = explore(keyedCreate(guard))
      assert.match(violation, expected)
      t.diagnostic(format(violation, story))
    })
  }
})

function format(violation: string | undefined, story: string[]): string {
  return [...story.map((step, i) => `${i + 1}. ${step}`), `→ ${violation}`].join('\n')
}

function entries<K extends string, V>(record: Record<K, V>): [K, V][] {
  return Object.keys(record)
    .filter((key): key is K => key in record)
    .map((key) => [key, record[key]])
}
