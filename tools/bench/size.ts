/**
 * Measures the size of the bundle, and the time until the first response of a new isolate. An empty Worker and the
 * stack without the service (workers/stack.ts) show what the service adds. workerd's Worker Loader loads them in turns,
 * each time with a new name, because it would reuse an isolate with a known one.
 */
import { readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { buildBundle, host, importsOf } from './host.ts'
import { median } from './load.ts'
import type { Progress, Settings } from './settings.ts'

const WORKERS = ['empty', 'stack', 'ours'] as const

type Worker = (typeof WORKERS)[number]

export interface Size {
  bytes: number
  gzipBytes: number
  /** Median milliseconds until the first response of a new isolate; the ratio is ours / stack in the same round. */
  coldStart: Record<Worker, number> & { ratio: number }
}

const EMPTY = 'export default { fetch() { return new Response(null, { status: 404 }) } }'

/** The path is unknown to each Worker, so that no response waits for a binding. */
const LOADER = `
const modulesOf = ({ code, texts, wasm }) => ({
  'index.js': code,
  ...Object.fromEntries(texts.map(([path, text]) => [path, { text }])),
  ...Object.fromEntries(wasm.map(([path, base64]) => [path, { wasm: Uint8Array.fromBase64(base64).buffer }])),
})

export default {
  async fetch(request, env) {
    const [, worker, id] = new URL(request.url).pathname.split('/')
    const stub = env.LOADER.get(worker + id, () => ({
      compatibilityDate: env.COMPATIBILITY_DATE,
      mainModule: 'index.js',
      modules: modulesOf(env.MODULES[worker]),
      env: { DB: {}, ENVIRONMENT: 'production' },
    }))
    const response = await stub.getEntrypoint().fetch('https://service.invalid/not-served')
    await response.arrayBuffer()
    return new Response(null, { status: response.status })
  },
}`

/** The modules of a bundle, in a form that fits into a binding. */
function modulesOf(bundle: string) {
  const imports = importsOf(bundle)
  return {
    code: readFileSync(bundle, 'utf8'),
    texts: imports.filter(({ type }) => type === 'Text').map(({ path, contents }) => [path, contents]),
    wasm: imports
      .filter(({ type }) => type === 'CompiledWasm')
      .map(({ path, contents = '' }) => [path, Buffer.from(contents).toString('base64')]),
  }
}

export async function benchSize(bundle: string, settings: Settings, progress: Progress): Promise<Size> {
  const stack = buildBundle('stack', 'tools/bench/workers/stack.ts')
  const MODULES = { empty: { code: EMPTY, texts: [], wasm: [] }, stack: modulesOf(stack), ours: modulesOf(bundle) }
  const hosted = await host([{ name: 'loader', module: LOADER, bindings: { MODULES }, isLoader: true }])
  try {
    const origin = await hosted.origin('loader')
    let id = 0
    const start = async (worker: Worker) => {
      const sent = performance.now()
      const { status } = await fetch(`${origin}/${worker}/${id++}`)
      if (status !== 404) throw new Error(`${worker} returned ${status} for an unknown path`)
      return performance.now() - sent
    }
    const rounds: Record<Worker, number>[] = []
    // The first round also starts what all Workers share, so its times would be too long.
    for (let round = 0; round <= settings.coldStarts; round++) {
      progress(`size: cold start ${round} of ${settings.coldStarts}`)
      const times = { empty: 0, stack: 0, ours: 0 }
      for (const worker of round % 2 === 0 ? WORKERS : WORKERS.toReversed()) times[worker] = await start(worker)
      if (round > 0) rounds.push(times)
    }
    return {
      bytes: statSync(bundle).size,
      gzipBytes: gzipSync(readFileSync(bundle), { level: 9 }).byteLength,
      coldStart: {
        empty: median(rounds.map((round) => round.empty)),
        stack: median(rounds.map((round) => round.stack)),
        ours: median(rounds.map((round) => round.ours)),
        ratio: median(rounds.map((round) => round.ours / round.stack)),
      },
    }
  } finally {
    await hosted.stop()
  }
}
