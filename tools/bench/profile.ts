/** Takes a CPU profile of one Worker's isolate through workerd's inspector, to show what its JavaScript costs. */

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
  children?: number[]
}

interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  /** In microseconds. */
  timeDeltas: number[]
  startTime: number
  endTime: number
}

/** These frames are not the Worker's: waiting, and other work of workerd in the thread, such as its local D1 and KV. */
const ELSEWHERE = new Set(['(idle)', '(program)', '(root)'])

export interface CpuCost {
  /** The CPU time of the isolate, including garbage collection. */
  cpuMs: number
  /** The functions with the longest own time, in ms. */
  top: { name: string; ms: number }[]
  profile: CpuProfile
}

/** Profiles the Worker while `work` runs, and returns its CPU time. */
export async function profile(inspectorPort: number, worker: string, work: () => Promise<void>): Promise<CpuCost> {
  const inspector = await connect(inspectorPort, worker)
  await inspector.send('Profiler.enable')
  await inspector.send('Profiler.setSamplingInterval', { interval: 100 })
  await inspector.send('Profiler.start')
  await work()
  const { profile: taken } = await inspector.send('Profiler.stop')
  inspector.close()
  return summarize(taken)
}

function summarize(taken: CpuProfile): CpuCost {
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
