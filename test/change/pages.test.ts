import { describe, expect, it } from 'vitest'
import { pageOf } from '../../src/change/pages.ts'

describe('pageOf', () => {
  it.each([
    [[], [], null],
    [[1], [1], null],
    [[1, 2], [1, 2], null],
    [[1, 2, 3], [1, 2], '2'],
  ])('of two for %j returns %j with next %s', (found, rows, next) => {
    expect(pageOf(found, 2, (row) => row)).toEqual({ rows, next })
  })
})
