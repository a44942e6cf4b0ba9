/** Where a store's data is kept. */
import { choiceIn } from '../../address.ts'
import type { Schemas } from '../../api/client.ts'
import { useWords } from '../../words/index.tsx'

export const PLACES = ['shared', 'own'] as const

export type Location = NonNullable<Schemas['CreateStore']['location']>

export const LOCATIONS = [
  'weur',
  'eeur',
  'enam',
  'wnam',
  'sam',
  'apac',
  'oc',
  'afr',
  'me',
] as const satisfies Location[]
export const LOCATIONS_IN_EU = ['weur', 'eeur'] as const satisfies Location[]

type Placed = Pick<Schemas['Store'], 'place' | 'jurisdiction' | 'location'>

/** Says it in words, such as "Own database · only in the EU · Western Europe". */
export function usePlaceText(): (store: Placed) => string {
  const { places } = useWords()
  return ({ place, jurisdiction, location }) => {
    const known = choiceIn(location, LOCATIONS)
    const parts = [places.names[place], jurisdiction === 'eu' && places.onlyInEu, known && places.locations[known]]
    return parts.filter((part) => typeof part === 'string').join(' · ')
  }
}
