import assert from 'node:assert/strict'
import { it } from 'node:test'
import { adviceFor } from '../src/screens/webhooks/advice.ts'
import { en } from '../src/words/en.ts'

it('says for every status of a receiver what to ask its developer, and for a success nothing', () => {
  const { advice } = en.webhooks
  const expected = {
    301: advice.redirect,
    400: advice.rejected,
    403: advice.refused,
    404: advice.missing,
    410: advice.gone,
    418: advice.rejected,
    429: advice.busy,
    500: advice.broken,
    503: advice.down,
    504: advice.slow,
    521: advice.down,
  }
  for (const [status, text] of Object.entries(expected)) assert.equal(adviceFor(Number(status), en), text, status)
  assert.equal(adviceFor(null, en), advice.silent)
  assert.equal(adviceFor(204, en), undefined)
})
