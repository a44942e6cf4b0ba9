/** What the scenarios of webhooks share: an endpoint of their own, whose receiver responds as they say. */
import { createEndpoint, enable } from '../clients/endpoints.ts'
import type { Endpoint } from '../clients/client.ts'
import type { Outcome } from '../reference/operation.ts'
import type { Row } from '../rows.ts'
import type { Random } from '../world/random.ts'
import { WEBHOOK } from '../../../src/modules/webhooks/limits.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { perform } from './perform.ts'

export class Receiver {
  readonly exam: Examiner
  readonly endpoint: Endpoint
  readonly path: string

  constructor(exam: Examiner, endpoint: Endpoint) {
    this.exam = exam
    this.endpoint = endpoint
    this.path = `/webhook_endpoints/${endpoint.id}`
  }

  get url(): string {
    return this.endpoint.url
  }

  /** From now on, until it responds as all others do. */
  respond(status: number, more: { afterMs?: number; killsSender?: boolean } = {}): void {
    this.exam.world.scripts.set(this.url, { status, ...more })
  }

  respondAsOthers(): void {
    this.exam.world.scripts.delete(this.url)
  }

  /** The attempts that were made while it responded as a scenario says. */
  get attempts() {
    return this.exam.world.scripted.filter(({ url }) => url === this.url)
  }

  async enable(): Promise<void> {
    await enable(this.exam, this.exam.name('enable'), this.endpoint)
  }

  async expect(body: Row): Promise<void> {
    const request = requestOf(ROOT, 'GET', this.exam.model.slug, this.path)
    await this.exam.send('endpoint', request, { status: 200, body })
  }

  async readState(): Promise<unknown> {
    return (await this.exam.send('endpoint', requestOf(ROOT, 'GET', this.exam.model.slug, this.path))).json['state']
  }

  async expectNone(state: 'pending' | 'failed'): Promise<void> {
    await this.exam.expectRows('nothing', ROOT, `${this.path}/deliveries?state=${state}`, [], 100)
  }

  async newestDelivery(): Promise<string> {
    const list = { caller: ROOT, slug: this.exam.model.slug, path: `${this.path}/deliveries`, limit: 3 }
    const [newest] = await this.exam.readPages('deliveries', list)
    return String(newest?.['event_id'])
  }

  async test(status: number): Promise<void> {
    await this.#post('/test', { status: 200, body: { status } })
  }

  async redeliver(event_id: string, shown: Row): Promise<void> {
    this.endpoint.redelivered.add(event_id)
    await this.#post(`/deliveries/${event_id}/redeliver`, { status: 200, body: { event_id, ...shown } })
  }

  async #post(path: string, expected: Outcome): Promise<void> {
    await this.exam.send('at once', requestOf(ROOT, 'POST', this.exam.model.slug, `${this.path}${path}`), expected)
  }
}

/** The type of event that `newProducts` causes. */
const TYPES = ['product.created']

const newUrl = (exam: Examiner) => `https://hooks.example.com/${exam.model.slug}/${exam.slug('outage')}`

export async function newReceiver(exam: Examiner, types = TYPES, url = newUrl(exam)): Promise<Receiver> {
  await exam.pass(1)
  await makeRoom(exam)
  const endpoint = await createEndpoint(exam, exam.name('endpoint'), url, types)
  const made = exam.history.exchanges.at(-1)
  if (!endpoint || !made) throw new Error('the endpoint was not created')
  await exam.refer(made)
  exam.kept.add(endpoint.id)
  return new Receiver(exam, endpoint)
}

/** A store has a limited number of endpoints: deletes the oldest one that an earlier trial has left. */
async function makeRoom(exam: Examiner): Promise<void> {
  const { endpoints } = exam.model
  const { store } = exam
  if (endpoints.size < WEBHOOK.endpoints) return
  const left = store.endpoints.find(({ url }) => url.includes('outage'))
  const id = left?.id ?? [...endpoints.keys()].find((each) => !exam.kept.has(each))
  if (id === undefined) throw new Error('no endpoint can be deleted')
  await perform(exam, 'endpoint that makes room', 'DELETE', { path: `/webhook_endpoints/${id}` })
  if (left === undefined) return
  store.endpoints.splice(store.endpoints.indexOf(left), 1)
  store.formerEndpoints.push({ ...left, deletedAt: exam.now })
}

export async function newProducts(exam: Examiner, random: Random, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await exam.pass(random.pick([1, 300, 2000]))
    const name = exam.slug('product')
    await perform(exam, 'product', 'POST', { path: '/products', body: { name, slug: name, type: 'course' } })
  }
}

/** The delays before a retry and before a probe, in seconds. Each is up to a tenth shorter or longer; the last one repeats. */
const DELAYS = [5, 30, 120, 600, 3600, 21_600]
const PROBE_DELAYS = [5, 30, 120, 600, 1800]
const JITTER = 0.1
/** Clocks differ, and the alarm rings by another one. */
const LATE_MS = 3000
export const FAILURES_UNTIL_DOWN = 20

/** When each attempt was made: by the schedule of its delivery, until the endpoint went down and was only probed. */
export function checkSchedule({ exam, url, attempts }: Receiver, probesFrom = FAILURES_UNTIL_DOWN): void {
  const numbers = new Map<string, number>()
  const last = new Map<string, number>()
  for (const [i, { id, at }] of attempts.entries()) {
    const isProbe = i >= probesFrom
    const number = isProbe ? i - probesFrom : (numbers.get(id) ?? 0) - 1
    const before = isProbe ? attempts[i - 1]?.at : last.get(id)
    const delays = isProbe ? PROBE_DELAYS : DELAYS
    const expected = 1000 * (delays[number] ?? delays.at(-1) ?? 0)
    const waited = at - (before ?? at)
    const isInTime = waited >= expected * (1 - JITTER) && waited <= expected * (1 + JITTER) + LATE_MS
    if (before !== undefined && !isInTime)
      exam.violate(`${isProbe ? 'a probe of' : 'a retry to'} ${url} came after ${waited} ms, not ${expected}`)
    numbers.set(id, (numbers.get(id) ?? 0) + 1)
    last.set(id, at)
  }
}

/** Sleeps until just after the every-minute job, which would help, has run. */
export const afterMinutelyJob = (exam: Examiner) =>
  exam.world.sleepUntil((Math.floor(exam.now / 60_000) + 1) * 60_000 + 1000)
