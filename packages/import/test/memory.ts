/** Runs imports with files and states in memory, which is faster than processes and can crash at any write. */
import { connect } from '../client.ts'
import { failedWriter } from '../failed.ts'
import { inspect } from '../inspect.ts'
import { runImport } from '../run.ts'
import type { Source } from '../source.ts'
import type { Import, Keeper, State } from '../state.ts'
import { type FakeService, STORE_TOKEN } from './service.ts'

export function sourceOf(content: string | Uint8Array, chunkSize = 65_536): Source {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    size: bytes.length,
    async *open() {
      for (let offset = 0; offset < bytes.length; offset += chunkSize) yield bytes.slice(offset, offset + chunkSize)
    },
  }
}

export function csvOf(header: string[], rows: string[][], delimiter = ','): string {
  return [header, ...rows]
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
    .join('\r\n')
}

/** Returns a CSV file of `count` users with different emails. */
export function people(count: number, name = 'user'): string {
  return csvOf(
    ['name', 'last_name', 'email', 'custom_fields.team'],
    Array.from({ length: count }, (_, i) => ['Ada', `L${i}`, `${name}${i}@example.com`, i % 3 === 0 ? '7' : 'red']),
  )
}

export interface Kept {
  state: State | undefined
  /** The text of the file of failed rows that belongs to the state. */
  failed: string
}

export class Crash extends Error {}

interface Options extends Partial<
  Pick<Import, 'onExisting' | 'only' | 'dryRun' | 'neverShorten' | 'rename' | 'products' | 'splits' | 'itemPauseMs'>
> {
  token?: string
  /** The time zone of the store. */
  zone?: string
  keepChanges?: Keeper['keepChanges']
  kept?: Kept
  /** The run crashes after this many writes of states or failed rows. */
  crashAfter?: number
  giveUpAfterMs?: number
}

/** Runs an import. Afterwards `kept` contains what a run would leave on the disk. */
export async function importText(service: FakeService, content: string, options: Options = {}): Promise<State> {
  const {
    kept = { state: undefined, failed: '' },
    crashAfter = Number.POSITIVE_INFINITY,
    token = STORE_TOKEN,
  } = options
  const source = { ...sourceOf(content), timeZone: options.zone ?? 'UTC' }
  const inspection = await inspect(source, options)
  const { head, rowText } = failedWriter(inspection)
  let [text, writes] = [kept.failed, 0]
  return runImport({
    source,
    inspection,
    client: connect({
      url: service.url,
      store: 'demo',
      token,
      backoffMs: 1,
      giveUpAfterMs: options.giveUpAfterMs ?? 10_000,
    }),
    onExisting: options.onExisting ?? 'fail',
    dryRun: options.dryRun ?? false,
    only: options.only,
    neverShorten: options.neverShorten ?? false,
    ...(options.rename && { rename: options.rename }),
    products: options.products,
    splits: options.splits,
    state: kept.state,
    itemPauseMs: options.itemPauseMs ?? 10_000,
    keeper: {
      ...(options.keepChanges && { keepChanges: options.keepChanges }),
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
