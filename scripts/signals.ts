/** What happens to a command when somebody interrupts it, or no longer reads what it prints. */

/**
 * `… | head` closes the output after some lines. What the command does is done all the same; without a listener, Node would end it
 * in the middle, with a stack.
 */
export function goOnWithoutReader(): void {
  onClosedOutput(() => {})
}

export function onClosedOutput(end: () => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
      end()
    })
}

/** Without a listener, a signal ends the process without its `exit` event, and files with personal data would stay. */
export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
}
