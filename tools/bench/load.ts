/** Sends requests for a time on a fixed number of connections, one after another on each, and checks every status. */
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
  /** Returns the next request of this load. */
  next: () => Request
  /** Another status ends the load with an error, because failures are fast and would raise the throughput. */
  status: number
}

export interface Load {
  /** The requests per second. */
  throughput: number
  /** In milliseconds. */
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
        const response = await client.request(request)
        const body = await response.body.text()
        latencies.push(performance.now() - sent)
        if (response.statusCode !== status) {
          throw new Error(`${request.method} ${request.path} returned ${response.statusCode}: ${body}`)
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

/** Returns a percentile of values that are already sorted. */
export function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] ?? Number.NaN
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
