/**
 * Reads ZIP archives by parts, so that neither the archive nor what it contains is ever in memory as a whole. The platform
 * inflates, in Node and in browsers alike.
 */
import { FileError } from './file-error.ts'
import { concat, type Source } from './source.ts'

export interface Archive {
  /** The names, with slashes: some programs write those of Windows, with backslashes. */
  names: string[]
  /** The size of an entry in the archive, or undefined if there is none. Letter case does not count. */
  sizeOf: (name: string) => number | undefined
  /** The content of an entry; nothing if there is none. Throws FileError if it is damaged, or larger than promised. */
  read: (name: string, onBytes?: (compressed: number) => void) => AsyncGenerator<Uint8Array>
}

interface Entry {
  name: string
  isCompressed: boolean
  isEncrypted: boolean
  offset: number
  size: number
  unpackedSize: number
}

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const CFB = [0xd0, 0xcf, 0x11, 0xe0]
const [ENTRY, ENTRY_64, END, END_64, LOCATOR_64] = [0x02014b50, 1, 0x06054b50, 0x06064b50, 0x07064b50]
/** The end of an archive may have a comment of this length behind it. */
const MAX_COMMENT = 65_535
/** A crafted archive of 50 KB can promise gigabytes. */
const MAX_UNPACKED_BYTES = 100_000_000
const MAX_RATIO = 100

export function isArchive(bytes: Uint8Array): boolean {
  return ZIP.every((byte, i) => bytes[i] === byte)
}

/** A compound file (CFB): the container of old workbooks and of workbooks with a password. */
export function isContainer(bytes: Uint8Array): boolean {
  return CFB.every((byte, i) => bytes[i] === byte)
}

/** Throws FileError if the archive is broken or, unless `isLarge`, if it promises too much. Nothing is unpacked here. */
export async function openArchive(source: Source, isLarge: boolean): Promise<Archive> {
  const slice = slicesOf(source)
  const { inflate = inflateHere } = source
  const entries = await entriesOf(slice, source.size)
  const promised = entries.reduce((sum, { unpackedSize }) => sum + unpackedSize, 0)
  const limit = isLarge ? Number.POSITIVE_INFINITY : Math.min(MAX_UNPACKED_BYTES, source.size * MAX_RATIO)
  if (promised > limit) throw tooLarge(promised)
  const find = (name: string) => entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase())
  return {
    names: entries.map(({ name }) => name),
    sizeOf: (name) => find(name)?.size,
    async *read(name, onBytes) {
      const entry = find(name)
      if (entry === undefined) return
      if (entry.isEncrypted) throw new FileError(1, { code: 'password' })
      const packed = countBytes(slice(await startOf(slice, entry), entry.size), onBytes)
      // The promise may be wrong, so it is also a limit.
      let left = entry.unpackedSize
      try {
        for await (const chunk of entry.isCompressed ? inflate(packed) : packed) {
          left -= chunk.length
          if (left < 0) throw broken()
          yield chunk
        }
      } catch (error) {
        // Inflating throws TypeError, and zlib an error with a code.
        if (error instanceof TypeError || (error instanceof Error && 'code' in error && !('syscall' in error)))
          throw broken()
        throw error
      }
      if (left > 0) throw broken()
    },
  }
}

type Slice = (start: number, length: number) => AsyncIterable<Uint8Array<ArrayBuffer>>

function slicesOf(source: Source): Slice {
  const { openSlice } = source
  if (openSlice !== undefined) return (start, length) => (length > 0 ? openSlice(start, start + length) : nothing())
  let whole: Promise<Uint8Array<ArrayBuffer>> | undefined
  return async function* (start, length) {
    whole ??= wholeOf(source.open())
    yield (await whole).subarray(start, start + length)
  }
}

async function* nothing(): AsyncGenerator<never> {}

async function wholeOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return concat(parts)
}

async function bytesAt(slice: Slice, start: number, length: number): Promise<DataView<ArrayBuffer>> {
  if (start < 0) throw broken()
  const bytes = await wholeOf(slice(start, length))
  if (bytes.length < length) throw broken()
  return new DataView(bytes.buffer)
}

/** Reads the directory at the end of the archive (APPNOTE.TXT, 4.3.12 to 4.3.16). */
async function entriesOf(slice: Slice, size: number): Promise<Entry[]> {
  const start = Math.max(0, size - 22 - MAX_COMMENT)
  const tail = await bytesAt(slice, start, size - start)
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== END) end--
  if (end < 0) throw broken()
  let [count, length, offset] = [
    tail.getUint16(end + 10, true),
    tail.getUint32(end + 12, true),
    tail.getUint32(end + 16, true),
  ]
  if (end >= 20 && tail.getUint32(end - 20, true) === LOCATOR_64) {
    const long = await bytesAt(slice, Number(tail.getBigUint64(end - 12, true)), 56)
    if (long.getUint32(0, true) !== END_64) throw broken()
    const number = (at: number) => Number(long.getBigUint64(at, true))
    ;[count, length, offset] = [number(32), number(40), number(48)]
  }
  if (offset + length > size) throw broken()
  const directory = await bytesAt(slice, offset, length)
  const entries: Entry[] = []
  for (let at = 0; entries.length < count;) {
    if (at + 46 > length || directory.getUint32(at, true) !== ENTRY) throw broken()
    const [nameLength, extraLength] = [directory.getUint16(at + 28, true), directory.getUint16(at + 30, true)]
    const next = at + 46 + nameLength + extraLength + directory.getUint16(at + 32, true)
    if (next > length) throw broken()
    entries.push(entryAt(directory, at, nameLength, extraLength))
    at = next
  }
  return entries
}

function entryAt(directory: DataView<ArrayBuffer>, at: number, nameLength: number, extraLength: number): Entry {
  const method = directory.getUint16(at + 10, true)
  if (method !== 0 && method !== 8) throw broken()
  const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, nameLength))
  const long = longNumbers(directory, at + 46 + nameLength, extraLength)
  const number = (position: number): number => {
    const value = directory.getUint32(position, true)
    return value === 0xffffffff ? (long.shift() ?? value) : value
  }
  const unpackedSize = number(at + 24)
  const size = number(at + 20)
  const offset = number(at + 42)
  const isEncrypted = (directory.getUint16(at + 8, true) & 1) === 1
  return { name: name.replaceAll('\\', '/'), isCompressed: method === 8, isEncrypted, offset, size, unpackedSize }
}

/** Streaming writers put the sizes of even small entries here. */
function longNumbers(directory: DataView, start: number, length: number): number[] {
  for (let at = start; at + 4 <= start + length; at += 4 + directory.getUint16(at + 2, true)) {
    if (directory.getUint16(at, true) !== ENTRY_64) continue
    const count = Math.min(3, Math.floor(directory.getUint16(at + 2, true) / 8))
    return Array.from({ length: count }, (_, i) => Number(directory.getBigUint64(at + 4 + i * 8, true)))
  }
  return []
}

/** The name and the extra field before the content may be longer than those in the directory. */
async function startOf(slice: Slice, { offset }: Entry): Promise<number> {
  const header = await bytesAt(slice, offset, 30)
  return offset + 30 + header.getUint16(26, true) + header.getUint16(28, true)
}

async function* countBytes<T extends Uint8Array>(
  chunks: AsyncIterable<T>,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<T> {
  let bytes = 0
  for await (const chunk of chunks) {
    yield chunk
    onBytes?.((bytes += chunk.length))
  }
}

async function* inflateHere(all: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  const chunks = all[Symbol.asyncIterator]()
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
  const reader = packed.pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // If the caller stops early, this closes the file. After an error, cancel throws, and that is ignored.
    await reader.cancel().catch(() => {})
  }
}

function broken(): FileError {
  return new FileError(1, { code: 'workbook', message: 'the archive is damaged' })
}

function tooLarge(bytes: number): FileError {
  return new FileError(1, { code: 'too_large', megabytes: Math.ceil(bytes / 1_000_000) })
}
