import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { simulate } from './run.ts'

/** Seeds in which something was wrong once, of the service or of what judges it. They are stable as long as both stay. */
const SEEDS = {
  12: 'a holiday, and an access that ends right after it',
  108: 'an update whose answer was lost, and another one before it is sent again',
  145: 'a replay of a user whom a batch has changed since',
  179: 'a secret of an endpoint that nobody was told, made later than the one after it',
  5017: 'an event behind the last page that anybody waits for',
  40_920: 'a grant whose answer was lost, and whose user was erased before it is sent again',
  20_064: 'a batch that arrives once its connection is lost, and another has changed the access',
}

describe('seeds', () => {
  for (const [seed, story] of Object.entries(SEEDS)) {
    it(`${seed}: ${story}`, async () => {
      const { violations } = await simulate(Number(seed))
      assert.deepEqual(violations, [])
    })
  }
})
