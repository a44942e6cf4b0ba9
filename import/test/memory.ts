/** Files, and what is kept between runs, in memory. */
import { connect } from '../client.ts'
import { failedWriter } from '../failed.ts'
import { inspect } from '../inspect.ts'
import { type Import, runImport, type State } from '../run.ts'
import type { Source } from '../source.ts'
import { type FakeService, STORE_TOKEN } from './service.ts'

export function sourceOf(content: string | Uint8Array, chunkSize = 65_536): Source {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.slice(at, at + chunkSize)
    },
  }
}

export function csvOf(header: string[], rows: string[][], delimiter = ','): string {
  return [header, ...rows]
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
    .join('\r\n')
}

/** So many people with addresses of their own. */
export function people(count: number, name = 'user'): string {
  return csvOf(
    ['name', 'last_name', 'email', 'custom_fields.team'],
    Array.from({ length: count }, (_, i) => ['Ada', `L${i}`, `${name}${i}@example.com`, i % 3 === 0 ? '7' : 'red']),
  )
}

export interface Kept {
  state: State | undefined
  /** The text of the file of failed rows as of the state. */
  failed: string
}

export class Crash extends Error {}

interface Options extends Partial<Pick<Import, 'onExisting' | 'dryRun' | 'rename' | 'itemPauseMs'>> {
  token?: string
  kept?: Kept
  /** Crashes before so many writes of state or failed rows. */
  crashAfter?: number
  patienceMs?: number
}

/** One run; `kept` afterwards holds what a run leaves on a disk. */
export async function importText(service: FakeService, content: string, options: Options = {}): Promise<State> {
  const {
    kept = { state: undefined, failed: '' },
    crashAfter = Number.POSITIVE_INFINITY,
    token = STORE_TOKEN,
  } = options
  const source = sourceOf(content)
  const inspection = await inspect(source, options)
  const { head, rowText } = failedWriter(inspection)
  let [text, writes] = [kept.failed, 0]
  return runImport({
    source,
    inspection,
    client: connect({ url: service.url, store: 'demo', token, backoffMs: 1, patienceMs: options.patienceMs ?? 10_000 }),
    onExisting: options.onExisting ?? 'fail',
    dryRun: options.dryRun ?? false,
    ...(options.rename && { rename: options.rename }),
    state: kept.state,
    itemPauseMs: options.itemPauseMs ?? 10_000,
    keeper: {
      async keepFailed(rows) {
        if (writes++ >= crashAfter) throw new Crash()
        text += (text === '' ? head : '') + rows.map(rowText).join('')
      },
      async saveState(state) {
        if (writes++ >= crashAfter) throw new Crash()
        kept.state = state
        kept.failed = text
      },
    },
  })
}
