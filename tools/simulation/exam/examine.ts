/** An examination: a store of its own, about half of all operations, and some of them with a fault. */
import { D1_CHANCES } from '../world/round-trip.ts'
import type { Client } from '../clients/client.ts'
import { newReceiver } from './receivers.ts'
import * as contract from '../contract.ts'
import { withoutOperatorName } from '../checks/evidence.ts'
import type { FollowerLog } from '../clients/followers.ts'
import { OPERATIONS } from '../operations.ts'
import type { Caller } from '../reference/operation.ts'
import { operatorOf } from '../reference/operators.ts'
import type { Random } from '../world/random.ts'
import type { World } from '../world/world.ts'
import { Examiner } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import {
  expireSecret,
  loseObject,
  crowd,
  rotateOften,
  redeliverInFlight,
  redeliverInVain,
  testInVain,
} from './deliveries.ts'
import { runTask, TASKS, sendGenerated } from './run-task.ts'
import { changeInBulk } from './bulk-changes.ts'
import { changeZone, endToken, queueTooMany } from './waiting-bulk-changes.ts'
import { announceEnds, beginToEnd, endQuietly } from './announcements.ts'
import { changeInEveryWay, fillCustomFields } from './records.ts'
import { changeOperator, listSuspended, readAsLimitedOperator } from './operators.ts'
import { changeDuringTrips, interruptCreation, loseWakeUps } from './interruptions.ts'
import { ensureTokens } from './keepers.ts'
import {
  beGone,
  disableDuringLastRetry,
  failForDays,
  forgive,
  moveWhileDown,
  overwhelm,
  probeWithLastRetry,
} from './outages.ts'
import { exceedQuotas } from './quotas.ts'
import { checkRecords, readEverything, readOther } from './read-everything.ts'
import { loseDatabase, rotateTokenKey } from './recovery.ts'
import { repeatBatches } from './repeated-batches.ts'
import { endSuspension } from './perform.ts'
import { checkStatistics, createBeforeMidnight, eraseDuringCount } from './statistics.ts'
import { replayAfterChange, replayExtensions, tryTimes } from './times.ts'

/** The clock's jump is no failure of a request. */
const FAULTS = Object.keys(D1_CHANCES).filter((kind) => kind !== 'the clock jumps')

/** Every pair of an operation and a fault. Consecutive seeds take consecutive pairs, so that 100 seeds take all. */
export const PAIRS = OPERATIONS.flatMap((operation) => FAULTS.map((fault) => ({ operation, fault })))
const PAIRS_OF_A_RUN = 12

export interface Examined {
  exam: Examiner
  /** The events that were read before they were deleted. */
  followed: FollowerLog
}

export async function examine(client: Client & { world: World }, seed: number): Promise<Examined> {
  const { world } = client
  world.isExact = true
  const random = world.random.stream('exam')
  const exam = await setUp(client)
  await firstRecords(exam, random)
  const tasks = shuffle(TASKS, random)
  for (const task of tasks.slice(0, Math.ceil(tasks.length / 2))) await runTask(exam, task, random)
  for (let i = 0; i < PAIRS_OF_A_RUN; i++) {
    const { operation, fault } = PAIRS[(seed * PAIRS_OF_A_RUN + i) % PAIRS.length] ?? { operation: '', fault: '' }
    const task = TASKS.find((each) => each.operation === operation)
    if (!task) continue
    await checkRecords(exam)
    // The root, for example, is not looked up in the database.
    for (let tries = 0; tries < 5; tries++) if (await runTask(exam, task, random, fault)) break
  }
  // What follows reads with tokens.
  await endSuspension(exam)
  await ensureTokens(exam)
  await changeOperator(exam, client.store.id)
  await readAsLimitedOperator(exam, [client.store.id, client.other.id])
  await replayAfterChange(exam, random)
  await sendGenerated(exam, seed, random)
  for (const { every, rest, run } of TRIALS) if (seed % every === rest) await run(exam, random)
  await endSuspension(exam)
  await ensureTokens(exam)
  if (seed % 6 === 0) await eraseDuringCount(exam, random)
  await checkStatistics(exam)
  await readEverything(exam, random)
  for (const task of TASKS.filter(({ operation }) => operation.endsWith('.csv'))) await runTask(exam, task, random)
  if (seed % 6 === 4) await rotateTokenKey(exam, random)
  if (seed % 6 === 2) await loseDatabase(exam)
  for (const store of [client.store, client.other]) await readOther(exam, store, random)
  // What follows reads as the root, too, whose quota of this minute is nearly used up.
  await exam.pass(60_000)
  return { exam, followed: { type: undefined, events: exam.model.feed.map(withoutOperatorName), missed: [] } }
}

type Trial = (exam: Examiner, random: Random) => Promise<void>

/** What takes days is tried in some runs only: in those whose seed, divided by `every`, leaves `rest`. */
const TRIALS: { every: number; rest: number; run: Trial }[] = [
  { every: 6, rest: 0, run: failForDays },
  { every: 6, rest: 3, run: tryTimes },
  { every: 6, rest: 1, run: exceedQuotas },
  { every: 6, rest: 5, run: beGone },
  { every: 6, rest: 5, run: probeWithLastRetry },
  { every: 6, rest: 2, run: disableDuringLastRetry },
  { every: 3, rest: 2, run: announceEnds },
  { every: 3, rest: 0, run: crowd },
  { every: 3, rest: 0, run: changeInBulk },
  { every: 3, rest: 2, run: changeInBulk },
  { every: 2, rest: 1, run: replayExtensions },
  { every: 3, rest: 1, run: queueTooMany },
  { every: 3, rest: 0, run: endToken },
  { every: 3, rest: 2, run: changeZone },
  { every: 6, rest: 4, run: forgive },
  { every: 6, rest: 4, run: expireSecret },
  { every: 3, rest: 0, run: rotateOften },
  { every: 1, rest: 0, run: interruptCreation },
  { every: 3, rest: 0, run: changeDuringTrips },
  { every: 3, rest: 1, run: loseWakeUps },
  { every: 3, rest: 0, run: fillCustomFields },
  { every: 3, rest: 1, run: repeatBatches },
  { every: 3, rest: 2, run: changeInEveryWay },
  { every: 2, rest: 0, run: endQuietly },
  { every: 3, rest: 1, run: listSuspended },
  { every: 6, rest: 3, run: loseObject },
  { every: 3, rest: 2, run: redeliverInFlight },
  { every: 6, rest: 1, run: moveWhileDown },
  { every: 3, rest: 2, run: createBeforeMidnight },
  { every: 3, rest: 1, run: overwhelm },
  { every: 3, rest: 1, run: redeliverInVain },
  { every: 3, rest: 2, run: testInVain },
  // In these runs no day passes, after which everything is counted again.
  { every: 3, rest: 1, run: beginToEnd },
]

function shuffle<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}

async function setUp({ world, history, store, other, examined }: Client & { world: World }): Promise<Examiner> {
  const foreign = (store.tokens[0] ?? other.tokens[0])?.secret ?? ''
  const exam = new Examiner({ world, history, store: examined, foreign })
  await exam.send('stores', contract.listStores())
  await exam.send('store', contract.createStore(examined.id, examined.place))
  const operator = async (role: string, stores?: string[]): Promise<Caller> => {
    const { json } = await exam.send('operator', contract.createOperator(role, stores))
    return operatorOf(exam.model, String(json['id'])) ?? ROOT
  }
  exam.operators = {
    admin: await operator('admin'),
    office: await operator('office'),
    viewer: await operator('viewer'),
    limited: await operator('admin', [examined.id]),
    elsewhere: await operator('admin', [store.id]),
  }
  // Another store defines the custom field that the examined one must not know.
  await exam.send('field of another store', contract.putCustomField(store.id, 'nobody_defined_this'))
  return exam
}

/** What most tasks need: products, custom fields, users and an endpoint. */
async function firstRecords(exam: Examiner, random: Random): Promise<void> {
  const run = async (operation: string, times: number) => {
    const task = TASKS.find((each) => each.operation === operation)
    for (const each of Array.from({ length: times }, () => task)) if (each) await runTask(exam, each, random)
  }
  await exam.pass(1)
  const types = ['user.created', 'user.erased', 'product_access.expired']
  await newReceiver(exam, types, `https://hooks.example.com/${exam.store.id}`)
  await run('PATCH /admin/stores/{store_id}', 1)
  await run('POST /admin/stores/{store_id}/products', 3)
  await run('PUT /admin/stores/{store_id}/custom_fields/{key}', 3)
  await run('POST /v1/stores/{store_id}/users', 4)
  await run('POST /v3/public/users', 2)
  await run('POST /v1/stores/{store_id}/product_accesses', 9)
  await run('POST /admin/stores/{store_id}/webhook_endpoints', 1)
  await run('POST /admin/stores/{store_id}/tokens', 2)
  await run('POST /v1/stores/{store_id}/bulk_changes', 2)
}
