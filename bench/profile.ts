/** A CPU profile of one hosted Worker's isolate, by workerd's inspector: what its JavaScript costs, and where. */

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
  children?: number[]
}

interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  /** Microseconds. */
  timeDeltas: number[]
  startTime: number
  endTime: number
}

/** Not the Worker's: waiting, and what workerd does elsewhere in the thread (its D1 and KV among it). */
const ELSEWHERE = new Set(['(idle)', '(program)', '(root)'])

export interface CpuCost {
  /** Of the isolate, garbage collection included. */
  cpuMs: number
  /** The functions with the most time of their own, in ms. */
  top: { name: string; ms: number }[]
  profile: CpuProfile
}

/** Profiles the Worker while `work` runs. */
export async function profile(inspectorPort: number, worker: string, work: () => Promise<void>): Promise<CpuCost> {
  const inspector = await connect(inspectorPort, worker)
  await inspector.send('Profiler.enable')
  await inspector.send('Profiler.setSamplingInterval', { interval: 100 })
  await inspector.send('Profiler.start')
  await work()
  const { profile: taken } = await inspector.send('Profiler.stop')
  inspector.close()
  return summarise(taken)
}

function summarise(taken: CpuProfile): CpuCost {
  const names = new Map(taken.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const own = new Map<string, number>()
  let cpu = 0
  for (const [i, id] of taken.samples.entries()) {
    const frame = names.get(id)
    if (!frame || ELSEWHERE.has(frame.functionName)) continue
    // The time until the next sample belongs to this one.
    const micros = taken.timeDeltas[i + 1] ?? 0
    const name = `${frame.functionName || '(anonymous)'}:${frame.lineNumber + 1}:${frame.columnNumber + 1}`
    own.set(name, (own.get(name) ?? 0) + micros)
    cpu += micros
  }
  const top = [...own].toSorted((a, b) => b[1] - a[1]).map(([name, micros]) => ({ name, ms: micros / 1000 }))
  return { cpuMs: cpu / 1000, top: top.slice(0, 40), profile: taken }
}

interface Inspector {
  send: (method: string, params?: object) => Promise<{ profile: CpuProfile }>
  close: () => void
}

async function connect(port: number, worker: string): Promise<Inspector> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/core:user:${worker}`)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`no inspector for ${worker}`)))
  })
  const waiting = new Map<number, (result: { profile: CpuProfile }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message: { id?: number; result: { profile: CpuProfile } } = JSON.parse(String(data))
    if (message.id !== undefined) waiting.get(message.id)?.(message.result)
  })
  let id = 0
  return {
    send: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++id, resolve)
        socket.send(JSON.stringify({ id, method, params }))
      }),
    close: () => socket.close(),
  }
}
