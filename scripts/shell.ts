/** A terminal for one page: each block is pasted into the same shell, so that variables and programs live on. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Shell {
  /** Resolves once the block has ended, to how. */
  paste: (block: string) => Promise<number>
  /** What was printed since the last block was pasted; what it has left running goes on printing. */
  output: () => string
  close: () => void
}

export function openShell(cwd: string): Shell {
  const blocks = mkdtempSync(join(tmpdir(), 'registrar-smoke-'))
  // In a terminal curl shows no progress where it prints to the terminal.
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
      // The whole group: what the page has started in the background, too.
      if (bash.pid !== undefined) process.kill(-bash.pid, 'SIGTERM')
      rmSync(blocks, { recursive: true })
    },
  }
}

const END = /\n?<ended (\d+)>\n/
