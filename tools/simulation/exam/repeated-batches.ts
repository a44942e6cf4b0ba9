/** Every batch of the every-minute job and of the objects is sent twice, and must count once. */
import { DAY_MS } from '../contract.ts'
import type { Random } from '../world/random.ts'
import { grantAccesses } from './announcements.ts'
import { changeInBulk } from './bulk-changes.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { ensureTokens } from './keepers.ts'
import { newProducts, newReceiver } from './receivers.ts'
import { readEtags, perform, endSuspension } from './perform.ts'

const MINUTES_MS = 150_000

export async function repeatBatches(exam: Examiner, random: Random): Promise<void> {
  await endSuspension(exam)
  await ensureTokens(exam)
  const { world } = exam
  const receiver = await newReceiver(exam)
  receiver.respond(204)
  world.losesAnswersOf = /^cron \* |(endpoint|bulk changes) \d+ (wake|alarm \d+) inside$/
  await newProducts(exam, random, 2)
  await changeInBulk(exam, random)
  await changeDuringRetry(exam)
  await exam.pass(MINUTES_MS)
  world.losesAnswersOf = undefined
  receiver.respondAsOthers()
}

/** How often the examiner looks for what the bulk change has done. Its batch is sent again after at most 100 ms. */
const LOOK_MS = 10
const LOOKS = 2000

/** While the batch of a bulk change is about to be sent again, somebody changes the access that it has changed. */
async function changeDuringRetry(exam: Examiner): Promise<void> {
  const [id = ''] = (await grantAccesses(exam, [exam.now + 400 * DAY_MS])).keys()
  const { user = '', product = '' } = exam.model.accesses.get(id) ?? {}
  const { slug } = exam.model
  const body = {
    filter: { user_ids: [user], product_id: product },
    change: { status: 'without_access' },
  }
  await perform(exam, 'bulk change', 'POST', { path: '/bulk_changes', body })
  const path = `/product_accesses/${id}`
  for (let look = 0; look < LOOKS; look++) {
    await exam.pass(LOOK_MS)
    // The reference does not know how far the bulk change is.
    const { json } = await exam.history.send(exam.name('access'), requestOf(ROOT, 'GET', slug, path))
    if (json['status'] === 'without_access') break
  }
  await exam.readFeed()
  await perform(exam, 'access by hand', 'PUT', { path, body: { status: 'with_access' } })
  await exam.pass(1000)
  const read = requestOf(ROOT, 'GET', slug, path)
  await exam.send('access after the retry', read)
  await readEtags(exam)
}
