import { describe, expect, it } from 'vitest'
import { errorKinds } from '../src/error-codes.ts'

const kinds = Object.entries(errorKinds)

describe('The table of errors', () => {
  it.each(kinds.filter(([, { status }]) => [400, 410, 422].includes(status)))(
    'says for %s which field the docs show, and what is wrong with it',
    (_code, { field, explanation, docs }) => {
      const { example } = docs ?? {}
      expect(example?.field ?? field).toBeTypeOf('string')
      expect(example?.explanation ?? explanation).toBeTypeOf('string')
    },
  )

  it.each(kinds.filter(([, { status }]) => status === 422))(
    'has for %s a value that the docs show',
    (_code, { docs }) => {
      expect(docs?.example?.value).toBeTypeOf('string')
    },
  )
})
