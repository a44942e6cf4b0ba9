/**
 * The bundle's size, and what a fresh isolate costs before its first answer, over an empty Worker: both are loaded
 * by workerd's Worker Loader under a new name each time, in turns.
 */
import { readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { host } from './host.ts'
import { median } from './load.ts'
import type { Progress, Settings } from './settings.ts'

export interface Size {
  bytes: number
  gzipBytes: number
  /** Milliseconds until the first answer of a fresh isolate: medians, and of their difference. */
  coldStart: { empty: number; ours: number; over: number }
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
  progress('size: cold starts')
  const MODULES = { empty: EMPTY, ours: readFileSync(bundle, 'utf8') }
  const hosted = await host([{ name: 'loader', module: LOADER, bindings: { MODULES }, isLoader: true }])
  try {
    const origin = await hosted.origin('loader')
    let id = 0
    const start = async (worker: 'empty' | 'ours') => {
      const sent = performance.now()
      const { status } = await fetch(`${origin}/${worker}/${id++}`)
      if (status !== 404) throw new Error(`${worker} answered ${status} to a path that is not served`)
      return performance.now() - sent
    }
    await start('empty')
    await start('ours')
    const pairs: { empty: number; ours: number }[] = []
    for (let i = 0; i < settings.coldStarts; i++) pairs.push({ empty: await start('empty'), ours: await start('ours') })
    return {
      bytes: statSync(bundle).size,
      gzipBytes: gzipSync(readFileSync(bundle), { level: 9 }).byteLength,
      coldStart: {
        empty: median(pairs.map(({ empty }) => empty)),
        ours: median(pairs.map(({ ours }) => ours)),
        over: median(pairs.map(({ empty, ours }) => ours - empty)),
      },
    }
  } finally {
    await hosted.stop()
  }
}
