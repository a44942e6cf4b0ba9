/** A terminal for one page. Each block runs in the same shell, so variables and background programs stay available. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '../src/lib/pause.ts'

export interface Shell {
  /** Resolves to the exit status of the block. */
  paste: (block: string) => Promise<number>
  /** The output since the last block was pasted. Programs in the background continue to add to it. */
  output: () => string
  close: () => void
}

export function openShell(cwd: string): Shell {
  const blocks = mkdtempSync(join(tmpdir(), 'registrar-smoke-'))
  // In a real terminal, curl shows no progress when it prints to the terminal.
  writeFileSync(join(blocks, '.curlrc'), 'silent\nshow-error\n')
  // Where PYTHONUNBUFFERED is set, Python writes each line in pieces, and others may write between them.
  const env = { ...process.env, CURL_HOME: blocks, PYTHONUNBUFFERED: '' }
  // Not a pipe: Node makes one non-blocking for all who have it, and Python loses lines once it is full (findings/).
  const printed = join(blocks, 'output')
  writeFileSync(printed, '')
  const bash = spawn('bash', { cwd, env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  bash.stdin.write(`exec >>${printed} 2>&1\n`)
  let start = 0
  const output = () => readFileSync(printed).subarray(start).toString()
  return {
    async paste(block) {
      const script = join(blocks, 'block.sh')
      writeFileSync(script, block)
      start = statSync(printed).size
      bash.stdin.write(`source ${script} </dev/null; printf '\\n<ended %d>\\n' $?\n`)
      for (;;) {
        const [, status] = END.exec(output()) ?? []
        if (status !== undefined) return Number(status)
        if (bash.exitCode !== null) throw new Error(`The shell has ended with ${bash.exitCode}:\n${output()}`)
        await pause(20)
      }
    },
    output: () => output().replace(END, ''),
    close() {
      // The whole process group, or programs that the page started in the background would stay.
      if (bash.pid !== undefined) process.kill(-bash.pid, 'SIGTERM')
      rmSync(blocks, { recursive: true })
    },
  }
}

const END = /\n?<ended (\d+)>\n/
