import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { simulate } from './run.ts'

/**
 * Seeds that once failed, because of a defect of the service or of a check. A change of the order of requests gives
 * these seeds other runs.
 */
const SEEDS = {
  12: 'an access expires right after a holiday',
  108: 'the response to an update is lost, and another update runs before it is sent again',
  145: 'a replay shows a user whom a batch has changed since',
  179: 'an endpoint gets a secret without a response, later than the secret that was requested after it',
  5017: 'an event is inserted after the last page that a follower reads',
  40_920: 'the response to a grant is lost, and its user is erased before it is sent again',
  20_064: 'a batch arrives after its connection was lost, when another request has changed the access',
}

describe('seeds', () => {
  for (const [seed, story] of Object.entries(SEEDS)) {
    it(`accepts seed ${seed}, in which ${story}`, async () => {
      const { violations } = await simulate(Number(seed))
      assert.deepEqual(violations, [])
    })
  }
})
