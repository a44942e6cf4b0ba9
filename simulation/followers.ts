/** Followers of a store's events: each reads page by page with the cursor, one of them a type alone, one with a holiday. */
import type { Client } from './client.ts'
import * as contract from './contract.ts'
import { describe } from './history.ts'
import { type Row, toRows } from './rows.ts'
import type { World } from './world.ts'

export interface Followed {
  type: string | undefined
  events: Row[]
  /** How many numbers it was told to be too late for, and where it went on. */
  missed: { after: number; oldest: number }[]
}

interface Follower {
  type?: string
  /** Reads nothing during the holidays. */
  rests?: boolean
}

export async function follow(client: Client, { type, rests }: Follower, isOver: () => boolean): Promise<Followed> {
  const { store, world, history, name } = client
  const followed: Followed = { type, events: [], missed: [] }
  let after: string | undefined
  for (let page = 0; ; page++) {
    if (rests) await untilWork(world)
    const random = world.random.stream(`${name}.${page}`)
    const isLast = isOver()
    const { secret } = random.pick(store.tokens)
    const ask = contract.followEvents(store.id, secret, { limit: 5 + random.below(40), after, type })
    const told = await history.ask(`${name}.${page}`, ask)
    const { status, json } = told
    followed.events.push(...toRows(json['data']))
    if (status === 200 && typeof json['cursor'] === 'string') after = json['cursor']
    if (status === 410) {
      const oldest = Number(/\d+$/.exec(String(json['message']).replace(/\.$/, ''))?.[0])
      followed.missed.push({ after: Number(after), oldest })
      after = String(oldest - 1)
    }
    if (status !== undefined && status < 500 && status !== 200 && status !== 410) {
      history.violations.push(`a follower: ${describe(told)}`)
    }
    const isAtEnd = status === 200 && json['next'] === null
    if (isLast && isAtEnd) return followed
    if (isAtEnd || status !== 200) await world.sleep(world.isHoliday ? 6 * 3_600_000 : random.between(1000, 15_000))
  }
}

async function untilWork(world: World): Promise<void> {
  while (world.isHoliday) await world.sleep(3_600_000)
}
