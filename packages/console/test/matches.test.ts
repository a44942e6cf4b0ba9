import assert from 'node:assert/strict'
import { it } from 'node:test'
import { exactMatch, matchesOf } from '../src/forms/matches.ts'

const COUNTRIES = ['Bangladés', 'Estonia', 'España', 'Países Bajos', 'Reino Unido', 'Emiratos Árabes Unidos'].map(
  (label) => ({ value: label, label }),
)
const found = (text: string) => matchesOf(COUNTRIES, text).map(({ label }) => label)

it('finds a choice without its accents and case, the beginnings before the rest', () => {
  assert.deepEqual(found('espana'), ['España'])
  assert.deepEqual(found('ES'), ['Estonia', 'España', 'Bangladés', 'Países Bajos', 'Emiratos Árabes Unidos'])
  assert.deepEqual(found(' unido'), ['Reino Unido', 'Emiratos Árabes Unidos'])
  assert.deepEqual(found('atlantis'), [])
})

it('takes a text for a choice if it is the whole label of only one', () => {
  assert.equal(exactMatch(COUNTRIES, 'ESPANA ')?.value, 'España')
  assert.equal(exactMatch(COUNTRIES, 'espa'), undefined)
  const twice = [...COUNTRIES, { value: 'other', label: 'espana' }]
  assert.equal(exactMatch(twice, 'España'), undefined)
})
