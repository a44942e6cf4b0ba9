import { concat } from './source.ts'

/**
 * The texts that the cells of a workbook share. A million rows have millions of them, and as many strings would take three
 * times their length, so they are kept as bytes.
 */
export class TextTable {
  readonly #blocks: Uint8Array[] = []
  /** Where each text ends, counted from the beginning of its block. */
  readonly #ends: Uint32Array[] = []
  #pending: string[] = []
  /** The texts of the last cells: names and courses repeat, and each text takes longer to decode than to find here. */
  readonly #recent = Array.from({ length: RECENT }, (): { index: number; text: string } => ({ index: -1, text: '' }))

  get length(): number {
    return this.#blocks.length * BLOCK + this.#pending.length
  }

  add(text: string): void {
    if (this.#pending.push(text) === BLOCK) this.#close()
  }

  get(index: number): string | undefined {
    const recent = this.#recent[index % RECENT]
    if (recent?.index === index) return recent.text
    const text = this.#decode(index)
    if (recent === undefined || text === undefined) return text
    recent.index = index
    return (recent.text = text)
  }

  #decode(index: number): string | undefined {
    const position = index % BLOCK
    const block = (index - position) / BLOCK
    const bytes = this.#blocks[block]
    if (bytes === undefined) return block === this.#blocks.length ? this.#pending[position] : undefined
    const ends = this.#ends[block]
    return DECODER.decode(bytes.subarray(position === 0 ? 0 : ends?.[position - 1], ends?.[position]))
  }

  #close(): void {
    const parts = this.#pending.map((text) => ENCODER.encode(text))
    let end = 0
    this.#ends.push(Uint32Array.from(parts, ({ length }) => (end += length)))
    this.#blocks.push(concat(parts))
    this.#pending = []
  }
}

const BLOCK = 4096
const RECENT = 4096
const ENCODER = new TextEncoder()
/** A text may begin with a byte order mark. */
const DECODER = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
