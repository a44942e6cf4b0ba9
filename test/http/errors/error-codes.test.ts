import { describe, expect, it } from 'vitest'
import { ERROR_TEXTS } from '../../../src/openapi/error-texts.ts'
import { errorKinds } from '../../../src/http/errors/error-codes.ts'

const textOf = (code: string) => new Map(Object.entries(ERROR_TEXTS)).get(code)

const kinds = Object.entries(errorKinds)

describe('The table of errors', () => {
  it.each(kinds.filter(([, { status }]) => [400, 410, 422].includes(status)))(
    'says for %s which field the docs show, and what is wrong with it',
    (code, { field, explanation }) => {
      const { example } = textOf(code) ?? {}
      expect(example?.field ?? field).toBeTypeOf('string')
      expect(example?.explanation ?? explanation).toBeTypeOf('string')
    },
  )

  it.each(kinds.filter(([, { status }]) => status === 422))('has for %s a value that the docs show', (code) => {
    expect(textOf(code)?.example?.value).toBeTypeOf('string')
  })
})
