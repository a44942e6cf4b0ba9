/**
 * Clients that behave like integrators and operators. Each does one step after another, chosen by the seed. A response
 * that is wrong in itself is reported at once; the others are checked together at the end (checks/explain.ts).
 */
import * as accesses from './accesses.ts'
import * as batches from './batches.ts'
import * as endpoints from './endpoints.ts'
import * as operators from './operators.ts'
import * as creates from './creates.ts'
import * as stores from './stores.ts'
import * as users from './users.ts'
import type { Client, Step } from './client.ts'
import type { Random } from '../world/random.ts'

const STEPS: Record<string, [weight: number, step: Step]> = {
  create: [4, creates.createFresh],
  createContested: [4, creates.createContested],
  createV3: [1, creates.createV3],
  replay: [3, creates.replay],
  reuseKey: [1, creates.reuseKey],
  changeUser: [4, users.changeUser],
  moveUser: [1, users.changeEmail],
  eraseUser: [2, users.eraseUser],
  changePassword: [1, users.changePassword],
  verifyPassword: [1, users.verifyPassword],
  update: [6, accesses.update],
  updateIfMatch: [4, accesses.updateIfMatch],
  extend: [4, accesses.extend],
  setProgress: [2, accesses.setProgress],
  readAccess: [2, accesses.readAccess],
  grant: [3, accesses.grant],
  trespass: [1, accesses.useForeignToken],
  createUsers: [2, batches.createUsers],
  grantAccesses: [1, batches.grantAccesses],
  renewToken: [1, operators.renewToken],
  useToken: [1, operators.useToken],
  revokeAll: [0.4, operators.revokeAll],
  suspend: [0.5, operators.suspend],
  useOperator: [0.5, operators.useOperator],
  checkHealth: [1, operators.checkHealth],
  createStore: [3, stores.createStore],
  enableEndpoint: [1, endpoints.enableSome],
  rotateSecret: [0.5, endpoints.rotateSome],
  borrowEndpoint: [0.5, endpoints.useTemporaryEndpoint],
  redeliver: [0.5, endpoints.redeliver],
  testEndpoint: [0.2, endpoints.testEndpoint],
}

const WEIGHTS = Object.fromEntries(Object.entries(STEPS).map(([kind, [weight]]) => [kind, weight]))

export interface Script {
  /** The range of its steps: from `from` to below `to`. */
  from: number
  to: number
  /** Steps that are chosen and not executed, so that all others stay the same. */
  without: ReadonlySet<string>
}

/** Nine of ten steps begin within a burst, together with those of other clients. */
async function waitForStep({ world }: Client, random: Random): Promise<void> {
  if (random.chance(0.1)) return world.sleep(random.between(0, 20_000))
  const { everyMs, lengthMs } = world.bursts
  const next = world.now + everyMs - (world.now % everyMs)
  await world.sleepUntil(next + random.between(0, lengthMs))
}

export async function runClient(client: Client, { from, to, without }: Script): Promise<void> {
  for (let i = from; i < to; i++) {
    const name = `${client.name}.${i}`
    const random = client.world.random.stream(name)
    await waitForStep(client, random)
    const kind = random.weighted(WEIGHTS)
    const [, step] = STEPS[kind] ?? []
    if (step && !without.has(name)) await step(client, `${name} ${kind}`, random)
  }
}
