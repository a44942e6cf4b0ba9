/** A terminal for one page. Each block runs in the same shell, so variables and background programs stay available. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  const env = { ...process.env, CURL_HOME: blocks }
  const bash = spawn('bash', { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  let ended: (() => void) | undefined
  bash.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (END.test(output)) ended?.()
  })
  bash.stdin.write('exec 2>&1\n')
  return {
    async paste(block) {
      const file = join(blocks, 'block.sh')
      writeFileSync(file, block)
      output = ''
      const end = new Promise<void>((resolve) => (ended = resolve))
      bash.stdin.write(`source ${file} </dev/null; printf '\\n<ended %d>\\n' $?\n`)
      await end
      return Number(END.exec(output)?.[1])
    },
    output: () => output.replace(END, ''),
    close() {
      // The whole process group, or programs that the page started in the background would stay.
      if (bash.pid !== undefined) process.kill(-bash.pid, 'SIGTERM')
      rmSync(blocks, { recursive: true })
    },
  }
}

const END = /\n?<ended (\d+)>\n/
