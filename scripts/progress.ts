/** Shows the progress of a long run: a bar on a terminal, and elsewhere a line every few seconds to keep logs short. */
import { styleText } from 'node:util'
import { type WaitReason, waitText } from '../packages/import/wait-reason.ts'

export interface Progress {
  /** Without a total, there is no bar and no remaining time. */
  show: (done: number, total?: number, more?: string) => void
  /** Prints the reason of a pause, or the run would seem to hang. */
  wait: (milliseconds: number, reason: WaitReason) => void
  /** Clears the bar. */
  end: () => void
}

const LINE_EVERY_MS = 5000
const DRAW_EVERY_MS = 100
const BAR_WIDTH = 24

/** `first` was done before this run, so it does not count for the rate. */
export function startProgress(unit: string, first = 0, stream: NodeJS.WriteStream = process.stderr): Progress {
  const start = performance.now()
  let shown = stream.isTTY ? -Infinity : start
  let hasBar = false

  function print(text: string): void {
    if (stream.isTTY) stream.write(`\r\x1b[K${text.slice(0, stream.columns - 1)}`)
    else stream.write(`${text}\n`)
    hasBar = stream.isTTY
    shown = performance.now()
  }

  return {
    show(done, total, more = '') {
      const now = performance.now()
      if (now - shown < (stream.isTTY ? DRAW_EVERY_MS : LINE_EVERY_MS)) return
      const rate = ((done - first) / (now - start)) * 1000
      if (total === undefined) return print(`${done} ${unit}, ${Math.round(rate)} per second`)
      const left = rate > 0 ? `, ${duration((total - done) / rate)} left` : ''
      const part = total === 0 ? 1 : done / total
      const bar = '█'.repeat(Math.round(part * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')
      const text = `${Math.floor(part * 100)} %  ${done} of ${total} ${unit}, ${Math.round(rate)} per second${left}${more}`
      print(stream.isTTY ? `${styleText('cyan', bar)} ${text}` : text)
    },
    wait(milliseconds, reason) {
      // Reports of short pauses would hide the progress.
      if (milliseconds >= 1000) print(`${waitText(reason)}; trying again in ${duration(milliseconds / 1000)}`)
    },
    end() {
      if (hasBar) stream.write('\r\x1b[K')
      hasBar = false
    },
  }
}

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
