/**
 * The bytes of a file, checked to be UTF-8 as they pass. Decoding must be strict: a decoder that puts U+FFFD for what
 * it cannot read would import "Jos\ufffd" a million times and say nothing.
 */

/** A file that can be read from its start as often as needed: one of Node, or a `File` of a browser. */
export interface Source {
  size: number
  open: () => AsyncIterable<Uint8Array>
}

/** What is wrong with the file itself, and where. Nothing has been sent when this is thrown by the first pass. */
export class FileError extends Error {
  override name = 'FileError'
  readonly line: number

  constructor(line: number, message: string) {
    super(`line ${line}${message}`)
    this.line = line
  }
}

const BOM = [0xef, 0xbb, 0xbf]
const STRICT = { fatal: true, ignoreBOM: false } as const
const LF = 0x0a
const CR = 0x0d

/** Chunks of the file; the first is long enough to show its byte order mark. */
export async function* readUtf8(source: Source): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', STRICT)
  let offset = 0
  let tail = new Uint8Array()
  for await (const chunk of withFullHead(source.open())) {
    if (offset === 0) refuseUtf16(chunk)
    try {
      decoder.decode(chunk, { stream: true })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw await notUtf8(source, offset - tail.length, joined([tail, chunk]))
    }
    yield chunk
    offset += chunk.length
    tail = lastCharacter(joined([tail, chunk.subarray(-3)]))
  }
  try {
    decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw await notUtf8(source, offset - tail.length, tail)
  }
}

/** The length of the byte order mark, as spreadsheets write it and want it; 0 where there is none. */
export function bomLength(bytes: Uint8Array): number {
  return BOM.every((byte, i) => bytes[i] === byte) ? BOM.length : 0
}

/** Where a byte of the file is, for a person: lines and characters count from 1. What comes before it must be UTF-8. */
export async function placeOf(source: Source, offset: number): Promise<{ line: number; character: number }> {
  const place = { line: 1, character: 1 }
  let at = 0
  let previous = 0
  for await (const chunk of withFullHead(source.open())) {
    for (const byte of chunk.subarray(at === 0 ? bomLength(chunk) : 0, offset - at)) {
      if (byte === LF && previous === CR) place.character = 1
      else if (byte === LF || byte === CR) {
        place.line++
        place.character = 1
      } else if (!isContinuation(byte)) place.character++
      previous = byte
    }
    at += chunk.length
    if (at >= offset) break
  }
  return place
}

export function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The same chunks, the first of them long enough to hold a byte order mark. */
async function* withFullHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of chunks) {
    if (head === undefined) yield chunk
    else {
      head = joined([head, chunk])
      if (head.length < BOM.length) continue
      yield head
      head = undefined
    }
  }
  if (head !== undefined && head.length > 0) yield head
}

/** The most frequent mistake has a name of its own: "Unicode text" of a spreadsheet is UTF-16. */
function refuseUtf16(bytes: Uint8Array): void {
  const mark = `${bytes[0]},${bytes[1]}`
  if (mark === '255,254' || mark === '254,255')
    throw new FileError(1, ': the file is UTF-16. Save it as UTF-8 (in a spreadsheet: "CSV UTF-8").')
}

async function notUtf8(source: Source, start: number, bytes: Uint8Array): Promise<FileError> {
  const at = firstInvalid(bytes)
  const { line, character } = await placeOf(source, start + at)
  const hex = bytes[at]?.toString(16).padStart(2, '0')
  return new FileError(
    line,
    `, character ${character}: the file is not UTF-8 (byte 0x${hex}). Save it as UTF-8 and try again.`,
  )
}

/** Where the first character that is none begins. */
function firstInvalid(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let start = 0
  for (const i of bytes.keys()) {
    try {
      const isWhole = decoder.decode(bytes.subarray(i, i + 1), { stream: true }) !== ''
      if (isWhole) start = i + 1
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return start
    }
  }
  return start
}

/** From the last byte that begins a character of several bytes, if it is among the last three: decoding may start there. */
function lastCharacter(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const end = chunk.slice(-3)
  const start = end.findLastIndex((byte) => byte >= 0xc0)
  return start === -1 ? new Uint8Array() : end.slice(start)
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0
}
