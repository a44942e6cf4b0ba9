import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explore } from './explore.ts'
import { type Guard as CreateGuard, keyedCreate } from './keyed-create.ts'
import { type Guard as OutboxGuard, outbox } from './outbox.ts'

describe('the keyed create', () => {
  it('keeps its invariants in every interleaving', () => {
    const { violation, story, states } = explore(keyedCreate())
    assert.equal(violation, undefined, tell(violation, story))
    assert.ok(states > 10_000)
  })

  const guards: Record<CreateGuard, RegExp> = {
    'the claim is written in the batch': /is refused what his own key has made/,
    'only the newest event is followed': /is back after the erasure/,
    'done is asked first': /has made two users/,
  }
  for (const [guard, expected] of entries(guards)) {
    it(`breaks without: ${guard}`, (t) => {
      const { violation = '', story } = explore(keyedCreate(guard))
      assert.match(violation, expected)
      t.diagnostic(tell(violation, story))
    })
  }
})

describe('the outbox', () => {
  it('keeps its invariants in every interleaving, and always delivers in the end', () => {
    const { violation, story, states } = explore(outbox())
    assert.equal(violation, undefined, tell(violation, story))
    assert.ok(states > 10_000)
  })

  const guards: Record<OutboxGuard, RegExp> = {
    'the sweep': /nothing leads to the good end/,
    'an attempt is leased before it is made': /is made by two consumers/,
    'the cursor moves with its deliveries': /the cursor is past event 1/,
    'a refusal counts only for what waits for that attempt': /was delivered, and waits again/,
  }
  for (const [guard, expected] of entries(guards)) {
    it(`breaks without: ${guard}`, (t) => {
      const { violation = '', story } = explore(outbox(guard))
      assert.match(violation, expected)
      t.diagnostic(tell(violation, story))
    })
  }
})

function tell(violation: string | undefined, story: string[]): string {
  return [...story.map((step, i) => `${i + 1}. ${step}`), `→ ${violation}`].join('\n')
}

function entries<K extends string, V>(record: Record<K, V>): [K, V][] {
  return Object.keys(record)
    .filter((key): key is K => key in record)
    .map((key) => [key, record[key]])
}
