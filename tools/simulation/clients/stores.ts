/** Clients create stores with the same few ids at once, in either place. tools/simulation/checks/creations.ts says what must come of it. */
import type { Client } from './client.ts'
import * as contract from '../contract.ts'
import { describe } from './history.ts'
import type { Random } from '../world/random.ts'

const SLUGS = 12
const PLACES: contract.NewStore[] = [
  { place: 'shared' },
  { place: 'shared', time_zone: 'America/Santiago' },
  { place: 'own' },
  { place: 'own', time_zone: 'Europe/Lisbon' },
  { place: 'own', jurisdiction: 'eu' },
]

/** Often the same POST is sent twice: it completes a creation that was interrupted. */
export async function createStore({ history }: Client, name: string, random: Random): Promise<void> {
  const id = `new-${random.below(SLUGS)}`
  const request = contract.createStore(id, random.pick(PLACES), random.pick(['North', 'South']))
  const created = await history.send(name, request)
  if (created.end === Infinity && random.chance(0.3)) await history.send(`${name} again`, request)
  if (random.chance(0.7)) return
  const read = await history.send(`${name} read`, contract.readStore(id))
  if (created.status === 201 && read.end !== Infinity && read.status !== 200)
    history.violations.push(`a store that was created is not there: ${describe(read)}`)
}
