/**
 * wrangler.toml as scripts, bench, soak, simulation and tests read it: crons, queues and limits are spelled there and
 * nowhere else.
 */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Unstable_Config, unstable_readConfig } from 'wrangler'

interface Source {
  config?: string | undefined
  /** An environment of the file; empty: production. */
  env?: string | undefined
}

export function readConfig({ config = 'wrangler.toml', env = '' }: Source = {}): Unstable_Config {
  return unstable_readConfig({ config, env }, { hideWarnings: true })
}

/** Throws unless there is one for every minute and one that names its minute, by which the Worker tells them apart. */
export function cronsOf({ triggers: { crons = [] } }: Unstable_Config): { minutely: string; hourly: string } {
  const minutely = crons.filter((cron) => cron === '* * * * *')
  const hourly = crons.filter((cron) => /^\d+ \* \* \* \*$/.test(cron))
  if (minutely.length !== 1 || hourly.length !== 1 || crons.length !== 2)
    throw new Error(`crons: one for each minute and one for each hour, not ${JSON.stringify(crons)}`)
  return { minutely: minutely.join(), hourly: hourly.join() }
}

/** Throws unless what fails goes to the queue's own name and `-dead`, by which the Worker knows it. */
export function queuesOf({ queues: { producers = [], consumers = [] } }: Unstable_Config): {
  webhooks: string
  dead: string
} {
  const webhooks = producers.find(({ binding }) => binding === 'WEBHOOKS')?.queue ?? ''
  const dead = `${webhooks}-dead`
  const received = consumers.map(({ queue, dead_letter_queue: next }) => `${queue} → ${next}`).toSorted()
  if (producers.length !== 1 || received.join() !== [`${webhooks} → ${dead}`, `${dead} → undefined`].join())
    throw new Error(`queues: WEBHOOKS, and its name with "-dead" for what fails, not ${JSON.stringify(received)}`)
  return { webhooks, dead }
}

/** What `npm run dev`, `npm run deploy` and the deploy button make or ask for. */
export function secretNames(): string[] {
  return Object.keys(parseEnv(readFileSync('.dev.vars.example', 'utf8')))
}
