/**
 * Reads wrangler.toml for scripts, bench, soak, simulation and tests. Crons and limits are defined only in that
 * file: a second copy could differ from what is deployed.
 */
import { type Unstable_Config, unstable_readConfig } from 'wrangler'

interface Source {
  config?: string | undefined
  /** An environment of the file. Empty means production. */
  env?: string | undefined
}

export function readConfig({ config = 'wrangler.toml', env = '' }: Source = {}): Unstable_Config {
  return unstable_readConfig({ config, env }, { hideWarnings: true })
}

/**
 * The hosts that the environment takes from any other Worker when it is deployed, of its routes and custom domains. The path
 * of a route does not matter: the service needs the whole host.
 */
export function routesOf({ route, routes = [] }: Unstable_Config): string[] {
  return [...(route === undefined ? [] : [route]), ...routes].map((each) => {
    const pattern = typeof each === 'string' ? each : each.pattern
    return pattern.replace(/^https?:\/\//, '').replace(/\/.*/, '')
  })
}

/** Throws unless one cron runs every minute and one every hour: the Worker tells them apart by the minute in the second. */
export function cronsOf({ triggers: { crons = [] } }: Unstable_Config): { minutely: string; hourly: string } {
  const minutely = crons.filter((cron) => cron === '* * * * *')
  const hourly = crons.filter((cron) => /^\d+ \* \* \* \*$/.test(cron))
  if (minutely.length !== 1 || hourly.length !== 1 || crons.length !== 2)
    throw new Error(`crons must be one for each minute and one for each hour, not ${JSON.stringify(crons)}`)
  return { minutely: minutely.join(), hourly: hourly.join() }
}
