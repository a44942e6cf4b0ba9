/**
 * `npm run soak` runs the service in rounds (round.ts) while its process is killed, and its D1, KV, objects and the receivers of
 * its webhooks fail. It exits with 0 only if nothing was lost, duplicated or changed. `--minutes N` sets how long it begins
 * rounds, by default 3; `--quick` is one short round.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { freePort } from '../../scripts/free-port.ts'
import { Receivers } from './receivers.ts'
import { Round } from './round.ts'
import { Service } from './service.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, quick: { type: 'boolean', default: false } },
})
const minutes = values.quick ? 0 : Number(values.minutes)
if (!(minutes >= 0)) throw new Error('--minutes must be a number')
/** How long the clients of a round work. */
const seconds = values.quick ? 12 : 30

const receivers = new Receivers()
const service = new Service({ port: await freePort(), hooks: await receivers.listen() })
process.on('exit', () => service.stop())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const started = Date.now()
const violations: string[] = []
let rounds = 0
for (let n = 1; n === 1 || Date.now() - started < minutes * 60_000; n++) {
  const round = new Round({ service, receivers }, n)
  rounds++
  const progress = setInterval(() => console.log(lineOf(round, n)), 5000)
  violations.push(...(await round.run(seconds)))
  clearInterval(progress)
  console.log(`${lineOf(round, n)}, ${violations.length === 0 ? 'nothing wrong' : `${violations.length} violations`}`)
  if (violations.length > 0) break
}
// In each round, it is killed three times while nobody works.
if (service.kills <= 3 * rounds) violations.push('the service was not killed while clients worked')
for (const line of violations.slice(0, 20)) console.log(`  ${line}`)
if (violations.length === 0) rmSync(service.persistTo, { recursive: true, force: true })
else console.log(`The storage is kept in ${service.persistTo}`)
process.exit(violations.length === 0 ? 0 : 1)

function lineOf({ history: { exchanges }, phase }: Round, n: number): string {
  const elapsed = String(Math.round((Date.now() - started) / 1000)).padStart(4)
  const count = (isIt: (status: number | undefined) => boolean) => exchanges.filter(({ status }) => isIt(status)).length
  const lost = count((status) => status === undefined)
  const failed = count((status) => status === 503)
  return `${elapsed} s  round ${n}, killed ${service.kills} times, ${exchanges.length} requests (${lost} without a response, ${failed} × 503), ${receivers.deliveries.length} deliveries: ${phase}`
}
