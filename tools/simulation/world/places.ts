/** Where the stores of a run live. */
import type { Place } from '../contract.ts'
import type { Random } from './random.ts'

/** `both` is for one of the two competing stores in each place. */
export const SWITCH = ['own', 'shared', 'both'] as const

export type Switch = (typeof SWITCH)[number]

interface Places {
  /** Of the two stores that the clients use. */
  competing: readonly [Place, Place]
  examined: Place
  quarantine: Place
}

const SHARED: Place = { place: 'shared' }

export function choosePlaces(random: Random, chosen: Switch): Places {
  const own = (): Place => (random.chance(0.5) ? { place: 'own', jurisdiction: 'eu' } : { place: 'own' })
  const any = (): Place => (chosen === 'shared' || (chosen === 'both' && random.chance(0.5)) ? SHARED : own())
  const [first, second] = [chosen === 'shared' ? SHARED : own(), chosen === 'own' ? own() : SHARED]
  const competing = random.chance(0.5) ? ([first, second] as const) : ([second, first] as const)
  return { competing, examined: any(), quarantine: any() }
}
