/** Breaks that only the examiner finds, because it knows each response and when each delivery must come. */
import type { Break } from './breaks.ts'

export const EXAM_BREAKS: Break[] = [
  {
    name: 'an endpoint that is enabled does not resume',
    file: 'domain/webhooks/enable.ts',
    from: 'iif(${hasWaiting}, ${cursor}, ${resumed_until})',
    to: '${resumed_until}',
  },
  {
    name: 'an endpoint that is enabled waits for the others of its store',
    file: 'domain/webhooks/enable.ts',
    from: 'db.endpointsToWake.add(endpoint.id)',
    to: 'db.endpointsToNotify.add(endpoint.id)',
  },
  {
    name: 'an endpoint that has recovered does not resume',
    file: 'domain/webhooks/recovery.ts',
    from: 'resumed_until: sql`iif(${probe_at} is null, ${resumed_until}, ${cursor})`',
    to: 'resumed_until',
  },
  {
    name: 'a redelivery that failed keeps its old schedule',
    file: 'domain/webhooks/record-result.ts',
    from: '${or(succeeded, isLeased, waitsForRetry)}, ${retries}, 1)',
    to: '${or(succeeded, isLeased, waitsForRetry)}, ${retries}, ${retries})',
  },
  {
    name: 'only the first dead letter of a batch is logged',
    file: 'jobs/deliver.ts',
    from: 'for (const wakeUp of wakeUps) log(',
    to: 'for (const wakeUp of wakeUps.slice(0, 1)) log(',
  },
  {
    name: 'accesses that begin to end are not counted',
    file: 'domain/stats/stores.ts',
    from: "      ending_due: planned('ending_until_due'),\n",
    to: '',
  },
  {
    name: 'a list of accesses in the wrong order',
    file: 'domain/accesses/list.ts',
    from: '.orderBy(orderBy(order, product_accesses.id))',
    to: '.orderBy(product_accesses.id)',
  },
  {
    name: 'a spreadsheet in Portuguese with commas',
    file: 'wire/csv.ts',
    from: "language === 'ES' || language === 'PT' ? ';' : ','",
    to: "language === 'ES' ? ';' : ','",
  },
]
