import { env } from 'cloudflare:workers'

/** How many generated values a property tries that sends a request for each: few in `npm test`, more at night. */
export const REQUEST_RUNS = Number(env.PROPERTY_RUNS)
