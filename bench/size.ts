/**
 * The bundle's size, and what a fresh isolate costs before its first answer, beside an empty Worker and the same stack
 * without the service (workers/stack.ts): all are loaded by workerd's Worker Loader under a new name each time, in turns.
 */
import { readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { buildBundle, host } from './host.ts'
import { median } from './load.ts'
import type { Progress, Settings } from './settings.ts'

const WORKERS = ['empty', 'stack', 'ours'] as const

type Worker = (typeof WORKERS)[number]

export interface Size {
  bytes: number
  gzipBytes: number
  /** Milliseconds until the first answer of a fresh isolate: medians, and of ours over the stack's in the same turn. */
  coldStart: Record<Worker, number> & { ratio: number }
}

const EMPTY = 'export default { fetch() { return new Response(null, { status: 404 }) } }'

/** Nothing is asked of the bindings by a path that is not served. */
const LOADER = `
export default {
  async fetch(request, env) {
    const [, worker, id] = new URL(request.url).pathname.split('/')
    const stub = env.LOADER.get(worker + id, () => ({
      compatibilityDate: env.COMPATIBILITY_DATE,
      mainModule: 'index.js',
      modules: { 'index.js': env.MODULES[worker] },
      env: { DB: {}, ENVIRONMENT: 'production' },
    }))
    const answer = await stub.getEntrypoint().fetch('https://service.invalid/not-served')
    await answer.arrayBuffer()
    return new Response(null, { status: answer.status })
  },
}`

export async function benchSize(bundle: string, settings: Settings, progress: Progress): Promise<Size> {
  const stack = buildBundle('stack', 'bench/workers/stack.ts')
  const MODULES = { empty: EMPTY, stack: readFileSync(stack, 'utf8'), ours: readFileSync(bundle, 'utf8') }
  const hosted = await host([{ name: 'loader', module: LOADER, bindings: { MODULES }, isLoader: true }])
  try {
    const origin = await hosted.origin('loader')
    let id = 0
    const start = async (worker: Worker) => {
      const sent = performance.now()
      const { status } = await fetch(`${origin}/${worker}/${id++}`)
      if (status !== 404) throw new Error(`${worker} answered ${status} to a path that is not served`)
      return performance.now() - sent
    }
    const turns: Record<Worker, number>[] = []
    // The first turn starts what all share, and does not count.
    for (let turn = 0; turn <= settings.coldStarts; turn++) {
      progress(`size: cold start ${turn} of ${settings.coldStarts}`)
      const times = { empty: 0, stack: 0, ours: 0 }
      for (const worker of turn % 2 === 0 ? WORKERS : WORKERS.toReversed()) times[worker] = await start(worker)
      if (turn > 0) turns.push(times)
    }
    return {
      bytes: statSync(bundle).size,
      gzipBytes: gzipSync(readFileSync(bundle), { level: 9 }).byteLength,
      coldStart: {
        empty: median(turns.map(({ empty }) => empty)),
        stack: median(turns.map(({ stack }) => stack)),
        ours: median(turns.map(({ ours }) => ours)),
        ratio: median(turns.map(({ ours, stack }) => ours / stack)),
      },
    }
  } finally {
    await hosted.stop()
  }
}
