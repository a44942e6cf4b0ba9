/** All checks of one store at the end of a run. */
import { checkAttempts } from './attempts.ts'
import { checkEvents } from './events.ts'
import { checkEndpoint, checkProbes, missingEvents } from './webhooks.ts'
import { checkErasures } from './checks.ts'
import type { Evidence, StoreEvidence } from './evidence.ts'

const MINUTE_MS = 60_000

/** `settled` is when the wait for deliveries ended: every event from before it must have been delivered. */
export function checkStore(evidence: Evidence, found: StoreEvidence, settled: number): string[] {
  const { world, deliveries } = evidence
  const { store, events } = found
  const all = [...store.endpoints, ...store.formerEndpoints]
  const jumps = world.faults.filter(({ what }) => what.endsWith(': the clock jumps')).map(({ at }) => at)
  // The webhooks of events that a cron has inserted since then may still be under way.
  const old = events.filter(({ timestamp }) => Date.parse(String(timestamp)) < settled)
  const lost = store.endpoints.flatMap((each) => missingEvents(each, old, deliveries).map(({ id }) => [id, each.url]))
  return [
    ...checkErasures(evidence, found),
    // By this time, the last cron without a fault has announced all expiries.
    ...checkEvents(found, world.now - 2 * MINUTE_MS),
    ...all.flatMap((endpoint) => checkEndpoint(store.id, endpoint, events, deliveries)),
    ...all.flatMap((endpoint) => checkProbes(endpoint, events, deliveries)),
    ...all.flatMap((endpoint) => checkAttempts(endpoint, { events, deliveries, jumps })),
    ...lost.map(([id, url]) => `event ${String(id)} was not delivered to ${String(url)}`),
  ]
}
