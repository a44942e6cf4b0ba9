/** The database is unavailable for so long that every wake-up of the queue fails: then the minutely job must deliver. */
import { createEndpoint } from '../client-endpoints.ts'
import type { Client } from '../client.ts'
import * as contract from '../contract.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { ensureTokens, keepersOf } from './keepers.ts'

/** Longer than ten retries with a delay of 30 s each. */
const OUTAGE_MS = 8 * 60_000

export async function loseDatabase(exam: Examiner, client: Client): Promise<void> {
  const { world, model } = exam
  await exam.pass(1)
  const endpoints = [await newEndpoint(exam, client), await newEndpoint(exam, client)]
  const product = (slug: string) => contract.createProduct(model.slug, slug)
  await exam.send('product before the outage', product('before-the-outage'), { status: 201 })
  const isOwn = exam.hasOwnPlace
  if (isOwn) await loseShared(exam)
  world.isExporting = !isOwn
  world.areObjectsDown = isOwn
  const known = world.logs.length
  await exam.pass(OUTAGE_MS)
  await exam.send('product in the outage', product('in-the-outage'), { status: 503, code: 'service_unavailable' })
  await exam.send('read in the outage', requestOf(ROOT, 'GET', model.slug, ''), {
    status: 503,
    code: 'service_unavailable',
  })
  // The dead letters of both arrive in one batch.
  const logged = world.logs.slice(known).filter((line) => line.includes('wake_up_failed'))
  for (const endpoint of endpoints)
    if (!logged.some((line) => JSON.parse(line).webhook_endpoint_id === Number(endpoint?.id)))
      exam.violate(`the dead letter of endpoint ${String(endpoint?.id)} was not logged`)
  world.isExporting = false
  world.areObjectsDown = false
  world.count('a dead letter')
  await exam.pass(2 * 60_000)
}

function newEndpoint(exam: Examiner, client: Client) {
  const url = `https://hooks.example.com/${exam.model.slug}/${exam.name('outage').replaceAll(' ', '-')}`
  return createEndpoint(client, exam.name('endpoint'), url, ['product.created'])
}

/** A store with a database of its own serves its tokens while D1 is down, and its webhooks are sent. */
async function loseShared(exam: Examiner): Promise<void> {
  const { world, model } = exam
  await ensureTokens(exam)
  const [token = ROOT] = keepersOf(exam)
  world.isExporting = true
  await exam.pass(1)
  const path = '/users?limit=1'
  await exam.send('token while D1 is down', requestOf(token, 'GET', model.slug, path), { status: 200 })
  const down = { status: 503, code: 'service_unavailable' }
  await exam.send('operator while D1 is down', requestOf(exam.operators.admin, 'GET', model.slug, path), down)
  world.count('a store is served while D1 is down')
  world.isExporting = false
}
