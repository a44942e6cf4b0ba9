/**
 * Followers of a store's events. Each reads page by page with the cursor; one reads a single type, one pauses in the
 * holiday.
 */
import type { Client } from './client.ts'
import type { ClientWorld } from './client-world.ts'
import * as contract from '../contract.ts'
import { describe } from './history.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRows } from '../rows.ts'

export interface FollowerLog {
  type: string | undefined
  events: Row[]
  /** Ranges that were deleted before the follower read them (410): its cursor, and the oldest event that was left. */
  missed: { after: number; oldest: number }[]
}

interface Follower {
  type?: string
  /** Reads nothing during the holiday, so that its cursor becomes too old. */
  pausesInHoliday?: boolean
}

export async function follow(
  client: Client,
  { type, pausesInHoliday }: Follower,
  isOver: () => boolean,
): Promise<FollowerLog> {
  const { store, world, history, name } = client
  const followed: FollowerLog = { type, events: [], missed: [] }
  let after: string | undefined
  for (let page = 0; ; page++) {
    if (pausesInHoliday) await untilWork(world)
    const random = world.random.stream(`${name}.${page}`)
    const isLast = isOver()
    const { secret } = random.pick(store.tokens)
    const request = contract.followEvents(store.id, secret, { limit: 5 + random.below(40), after, type })
    const exchange = await history.send(`${name}.${page}`, request)
    const { status, json } = exchange
    followed.events.push(...toRows(json['data']))
    if (status === 200 && typeof json['cursor'] === 'string') after = json['cursor']
    if (status === 410) {
      const oldest = Number(/\d+$/.exec(String(json['message']).replace(/\.$/, ''))?.[0])
      followed.missed.push({ after: Number(after), oldest })
      after = String(oldest - 1)
    }
    if (status !== undefined && status < 500 && status !== 200 && status !== 410) {
      history.violations.push(`a follower got an unexpected response: ${describe(exchange)}`)
    }
    const isAtEnd = status === 200 && json['next'] === null
    if (isLast && isAtEnd) return followed
    if (isAtEnd || status !== 200) await world.sleep(pauseIn(world, random))
  }
}

/** Followers read often while clients compete, and seldom while nothing changes or only the examiner works. */
function pauseIn(world: ClientWorld, random: Random): number {
  if (world.isHoliday) return 6 * 3_600_000
  return world.isExact ? 900_000 : random.between(1000, 15_000)
}

async function untilWork(world: ClientWorld): Promise<void> {
  while (world.isHoliday) await world.sleep(3_600_000)
}
