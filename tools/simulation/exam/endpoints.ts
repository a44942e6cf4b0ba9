/** The tasks about webhook endpoints that nothing else uses. The checks of webhooks have endpoints of their own. */
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import type { Examiner, Prepared } from './examiner.ts'
import { NO_ID, ofStore, type Task } from './task.ts'

const TYPES = ['product.created', 'custom_field.created', 'product.deleted']
const REJECTED = [
  'http://hooks.example.com/',
  'https://10.0.0.1/',
  'https://user@hooks.example.com/',
  'https://[fd00::1]/',
]

const newUrl = (exam: Examiner, label: string) => `https://hooks.example.com/${exam.model.slug}/${exam.slug(label)}`

/** A URL that an endpoint of the store may have already. */
function pickUrl(exam: Examiner, random: Random, label: string): unknown {
  const [known] = [...exam.model.endpoints.values()].slice(-1 - random.below(5))
  return known && random.chance(0.2) ? known['url'] : newUrl(exam, label)
}

function prepareCreate(exam: Examiner, random: Random): Prepared {
  const url = random.chance(0.3) ? random.pick(REJECTED) : pickUrl(exam, random, 'endpoint')
  return { path: '/webhook_endpoints', body: { url, types: [random.pick(TYPES)] } }
}

/** The path of an endpoint that no scenario uses: of none, sometimes. */
function pickPath(exam: Examiner, random: Random): string {
  const own = [...exam.model.endpoints.keys()].filter((id) => !exam.kept.has(id))
  const isThere = own.length > 0 && !random.chance(0.1)
  return `/webhook_endpoints/${isThere ? random.pick(own) : NO_ID}`
}

function prepareUpdate(exam: Examiner, random: Random): Prepared {
  const types = random.pick([null, [random.pick(TYPES)]])
  const body: Row = random.pick([{}, { types }, { types, url: pickUrl(exam, random, 'moved') }])
  return { path: pickPath(exam, random), body }
}

/** A request without fields about an endpoint. */
function prepare(suffix: string, body?: Row) {
  return (exam: Examiner, random: Random): Prepared => {
    return { path: `${pickPath(exam, random)}${suffix}`, ...(body && { body }) }
  }
}

function prepareDeliveries(exam: Examiner, random: Random): Prepared {
  return {
    path: `${pickPath(exam, random)}/deliveries?limit=100${random.pick(['', '&state=delivered', '&order=asc'])}`,
  }
}

/** The first event of the store may be sent to an endpoint that is younger. */
function prepareRedeliver(exam: Examiner, random: Random): Prepared {
  return { path: `${pickPath(exam, random)}/deliveries/${random.chance(0.2) ? NO_ID : '1'}/redeliver` }
}

export const ENDPOINT_TASKS: Task[] = [
  ...ofStore('POST /webhook_endpoints', prepareCreate),
  ...ofStore('GET /webhook_endpoints/{id}', prepare('')),
  ...ofStore('PATCH /webhook_endpoints/{id}', prepareUpdate),
  ...ofStore('DELETE /webhook_endpoints/{id}', prepare('')),
  ...ofStore('POST /webhook_endpoints/{id}/rotate_secret', prepare('/rotate_secret', { overlap_hours: 0 })),
  ...ofStore('POST /webhook_endpoints/{id}/enable', prepare('/enable')),
  ...ofStore('POST /webhook_endpoints/{id}/test', prepare('/test')),
  ...ofStore('GET /webhook_endpoints/{id}/deliveries', prepareDeliveries),
  ...ofStore('POST /webhook_endpoints/{id}/deliveries/{event_id}/redeliver', prepareRedeliver),
]
