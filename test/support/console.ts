import { vi } from 'vitest'

/** Returns what `act` writes to the console, one text per call. */
export async function recordConsole(act: () => Promise<unknown>): Promise<string[]> {
  const methods = ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const
  const spies = methods.map((method) => vi.spyOn(console, method))
  try {
    await act()
    return spies.flatMap((spy) => spy.mock.calls).map((values) => values.map(asText).join(' '))
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Error ? `${value.stack} ${String(value.cause)}` : JSON.stringify(value)
}

/** Returns the log lines of the requests that `act` makes. */
export async function recordLog(act: () => Promise<unknown>): Promise<any[]> {
  const lines = await recordConsole(act)
  return lines.map((line) => JSON.parse(line)).filter((line) => 'request_id' in line)
}
