import { describe, expect, it } from 'vitest'
import { Hono } from '../../../src/http/hono.ts'
import { ifMatch } from '../../../src/http/middleware/if-match.ts'

/** Responds with the event numbers that the middleware has read, or null for any state. */
const app = new Hono().get('/:id', ifMatch(), (c) => c.json(c.get('ifMatch') ?? null))

async function eventNumbers(sent: string | undefined): Promise<number[] | null> {
  return (await app.request('/12', { headers: sent === undefined ? {} : { 'If-Match': sent } })).json()
}

describe('If-Match of the record 12', () => {
  it.each([undefined, '*', ' * '])('matches any state if it is %j', async (sent) => {
    expect(await eventNumbers(sent)).toBeNull()
  })

  it.each<[string, number[]]>([
    ['"12-34"', [34]],
    ['"12-34", "12-5"', [34, 5]],
    ['"x","y" ,\t"12-34","12-5"', [34, 5]],
    // Weakened by whoever compressed the response
    ['W/"12-34"', [34]],
    ['W/"12-34", "12-34"', [34, 34]],
    ['"x", W/"12-34" ,W/"12-5"', [34, 5]],
    ['"12-9999999999"', [9_999_999_999]],
    // Tags of other records
    ['"13-34"', []],
    ['"1-34"', []],
    ['"13-34", W/"12-34", "x", "12-5"', [34, 5]],
    ['W/"13-34"', []],
    // Text that is no tag of ours
    ['"12-34-gzip"', []],
    ['W/"12-34-gzip"', []],
    ['w/"12-34"', []],
    ['W/ "12-34"', []],
    ['W/12-34', []],
    ['W/W/"12-34"', []],
    ['12-34', []],
    ["'12-34'", []],
    ['"12-034"', []],
    ['"012-34"', []],
    ['"12-0"', []],
    ['"34"', []],
    ['" 12-34"', []],
    ['"12-34 "', []],
    ['"12-34"x', []],
    ['x"12-34"', []],
    ['""', []],
    ['', []],
    [', ,', []],
    ['**', []],
    ['"*"', []],
    ['"x", *', []],
    ['"12-99999999999"', []],
    [`"12-${'9'.repeat(400)}"`, []],
    ["1'; drop table events; --", []],
  ])('of %j matches %j', async (sent, numbers) => {
    expect(await eventNumbers(sent)).toEqual(numbers)
  })
})
