import { cronsOf } from '../../../scripts/wrangler-config.ts'
import { CONFIG } from './config.ts'
import type { Service } from './instances.ts'
import type { World } from './world.ts'

const MINUTE_MS = 60_000
const CRONS = Object.values(cronsOf(CONFIG))
/** The hourly cron runs this often, because a run with clients takes minutes. */
const HOURLY_EVERY_MINUTES = 3
export const CRON_CHANCES = { 'does not run': 0.1, 'runs twice at once': 0.15, 'is late': 0.1 }
export const HOLIDAY_STEP_MS = 3 * 60 * MINUTE_MS

/** Starts the crons of each minute, and sometimes an export of the database. In a holiday it takes longer steps. */
export async function passMinutes(world: World, service: Service, isDone: () => boolean): Promise<void> {
  const running: Promise<void>[] = []
  while (!isDone()) {
    const step = world.isHoliday ? HOLIDAY_STEP_MS : MINUTE_MS
    await world.sleep(step - (world.now % step))
    // A cron that is late gets the time for which it was scheduled, as Cloudflare's do.
    const scheduledTime = world.now
    const minute = Math.floor(scheduledTime / MINUTE_MS)
    for (const cron of CRONS.filter((each) => world.isHoliday || isDue(each, minute % 60))) {
      const name = `cron ${cron} at ${minute}`
      const fault = world.fault(name, CRON_CHANCES)
      if (fault === 'does not run') continue
      if (fault === 'is late') await world.sleep(world.random.stream(name).between(1000, 50_000))
      running.push(service.cron(name, cron, scheduledTime))
      if (fault === 'runs twice at once') running.push(service.cron(`${name} again`, cron, scheduledTime))
    }
    if (world.fault('database', { 'is being exported': 0.03 })) {
      world.isExporting = true
      const end = () => (world.isExporting = false)
      world.schedule(world.random.stream(`export ${minute}`).between(2000, 30_000), end, world.network)
    }
  }
  await Promise.all(running)
}

function isDue(cron: string, minute: number): boolean {
  const [field = '*'] = cron.split(' ')
  if (field === '*') return true
  return minute % (field.startsWith('*/') ? Number(field.slice(2)) : HOURLY_EVERY_MINUTES) === 0
}
