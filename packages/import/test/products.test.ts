import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findProducts, unknownProducts } from '../products.ts'

const find = findProducts([
  { name: 'Inglés B1', slug: 'ingles-b1' },
  { name: 'Francés A2', slug: 'frances-a2' },
  { name: 'C', slug: 'c' },
  { name: 'C++', slug: 'cpp' },
  { name: 'Física', slug: 'fisica-1' },
  { name: 'FISICA', slug: 'fisica-2' },
  { name: 'frances-a2', slug: 'other' },
  { name: 'C | C++', slug: 'both' },
])

describe('A cell with products', () => {
  it('is first taken as a whole as a name, ignoring case, accents and repeated blanks', () => {
    for (const cell of ['Inglés B1', 'ingles b1', 'INGLÉS  B1', 'Ingle\u0301s B1'])
      assert.deepEqual([cell, find(cell)], [cell, [{ slug: 'ingles-b1' }]])
    assert.deepEqual(find('C++'), [{ slug: 'cpp' }])
    assert.deepEqual(find('c | c++'), [{ slug: 'both' }])
  })

  it('is a slug before it is the name of another product', () => {
    assert.deepEqual(find('frances-a2'), [{ slug: 'frances-a2' }])
    assert.deepEqual(find('cpp|frances-a2'), [{ slug: 'cpp' }, { slug: 'frances-a2' }])
    assert.deepEqual(find('Frances-A2'), [{ slug: 'other' }])
  })

  it('may have names and slugs between bars, and slugs between blanks', () => {
    assert.deepEqual(find('Inglés B1 | cpp'), [{ slug: 'ingles-b1' }, { slug: 'cpp' }])
    assert.deepEqual(find('cpp ingles-b1'), [{ slug: 'cpp' }, { slug: 'ingles-b1' }])
  })

  it('may have other separators, if all of its parts are products', () => {
    const both = [{ slug: 'ingles-b1' }, { slug: 'cpp' }]
    for (const cell of ['Inglés B1, C++', 'Inglés B1;C++;', 'inglés b1\ncpp', 'Inglés B1\r\n\r\nC++'])
      assert.deepEqual([cell, find(cell)], [cell, both])
    assert.deepEqual(find('Inglés B1;'), [{ slug: 'ingles-b1' }])
    assert.deepEqual(find('Inglés B1, Química'), [{ problem: 'unknown_product', about: 'Inglés B1, Química' }])
    assert.deepEqual(
      findProducts([
        { name: 'A, B', slug: 'ab' },
        { name: 'A', slug: 'a' },
        { name: 'B', slug: 'b' },
      ])('a, b'),
      [{ slug: 'ab' }],
    )
  })

  it('with a name that the store does not have, or has twice, is one fault', () => {
    assert.deepEqual(find('Alemán A1'), [{ problem: 'unknown_product', about: 'Alemán A1' }])
    assert.deepEqual(find('Inglés B1|Química'), [
      { slug: 'ingles-b1' },
      { problem: 'unknown_product', about: 'Química' },
    ])
    assert.deepEqual(find('física'), [{ problem: 'ambiguous_product', about: 'física' }])
  })

  it('leaves a slug that is not in the list to the service, because the product may be new', () => {
    assert.deepEqual(find('new-course'), [{ slug: 'new-course' }])
    assert.deepEqual(find('cpp new-course'), [{ slug: 'cpp' }, { slug: 'new-course' }])
  })

  it('has slugs only, if the products are not known', () => {
    assert.deepEqual(findProducts()('Inglés B1'), [{ slug: 'Inglés' }, { slug: 'B1' }])
  })
})

it('counts the cells that name a product in vain, and not those that name it twice', () => {
  const unknown = unknownProducts([{ name: 'Inglés B1', slug: 'ingles-b1' }])
  for (const cell of ['Inlgês B1', 'ingles-b1', '', 'Inglés B1 | ingles-b2', 'Inlgês B1']) unknown.add(cell)
  assert.deepEqual(unknown.list(), [
    ['Inlgês B1', 2],
    ['ingles-b2', 1],
  ])
})
