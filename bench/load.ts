/** The load: a fixed number of connections, each with one request under way, for a time; answers are checked. */
import { Client } from 'undici'

export interface Request {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface LoadOptions {
  origin: string
  connections: number
  milliseconds: number
  /** Makes the n-th request of this load. */
  next: () => Request
  /** The status that each answer must have. */
  status: number
}

export interface Load {
  /** Requests per second. */
  throughput: number
  /** Milliseconds. */
  p50: number
  p99: number
  requests: number
}

export async function load({ origin, connections, milliseconds, next, status }: LoadOptions): Promise<Load> {
  const latencies: number[] = []
  const clients = Array.from({ length: connections }, () => new Client(origin, { pipelining: 1 }))
  const start = performance.now()
  const end = start + milliseconds
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const request = next()
        const sent = performance.now()
        const answer = await client.request(request)
        const body = await answer.body.text()
        latencies.push(performance.now() - sent)
        if (answer.statusCode !== status) {
          throw new Error(`${request.method} ${request.path} answered ${answer.statusCode}: ${body}`)
        }
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  await Promise.all(clients.map((client) => client.close()))
  latencies.sort((a, b) => a - b)
  return {
    throughput: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    requests: latencies.length,
  }
}

/** Of sorted values. */
export function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] ?? Number.NaN
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
