/**
 * Reads the bytes of a file and checks that they are UTF-8. Decoding must be strict: a decoder that replaces invalid
 * bytes with U+FFFD would import "Jos\ufffd" a million times without an error.
 */

import { FileError } from './file-error.ts'
import type { OpenSheet } from './sheet-source.ts'

/** A file that can be read from its start several times, in Node or as a `File` in a browser. */
export interface Source {
  size: number
  /** Separates the values of a CSV file. If it is omitted, it is recognized by the first line. */
  delimiter?: string
  /** The number of the row with the headings, from 1. If it is omitted, they are in the first row that has a value. */
  headings?: number
  /** The order of day, month and year in dates such as 31/12/2027. If it is omitted, such a date is an error of its row. */
  dates?: DateOrder | undefined
  /** The time zone of the store, in which days and times without a zone are. If it is omitted, they are in UTC. */
  timeZone?: string
  open: () => AsyncIterable<Uint8Array>
  /** Returns the bytes from `start` until before `end`. Without it, an archive is read into memory as a whole. */
  openSlice?: (start: number, end: number) => AsyncIterable<Uint8Array<ArrayBuffer>>
  /** Unpacks deflated bytes. Without it, the platform does, which takes three times as long in Node. */
  inflate?: (chunks: AsyncIterable<Uint8Array<ArrayBuffer>>) => AsyncIterable<Uint8Array>
  /** Set for a sheet of a workbook. Its rows are read from here, `size` is that of the sheet, and `open` is not used. */
  openSheet?: OpenSheet
}

export type DateOrder = 'dmy' | 'mdy'

const BOM = [0xef, 0xbb, 0xbf]
const STRICT = { fatal: true, ignoreBOM: false } as const
const LF = 0x0a
const CR = 0x0d

/** Returns the chunks of the file; the first one is long enough to contain a byte order mark. */
export async function* readUtf8(source: Source): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', STRICT)
  let offset = 0
  let tail = new Uint8Array()
  for await (const chunk of withFullHead(source.open())) {
    if (offset === 0) rejectUtf16(chunk)
    try {
      decoder.decode(chunk, { stream: true })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw await notUtf8(source, offset - tail.length, concat([tail, chunk]))
    }
    yield chunk
    offset += chunk.length
    tail = lastCharacter(concat([tail, chunk.subarray(-3)]))
  }
  try {
    decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw await notUtf8(source, offset - tail.length, tail)
  }
}

/** Returns the length of the byte order mark, which spreadsheets write and need, or 0 if there is none. */
export function bomLength(bytes: Uint8Array): number {
  return BOM.every((byte, i) => bytes[i] === byte) ? BOM.length : 0
}

/** Returns the line and character of a byte, both counted from 1. Everything before it must be UTF-8. */
export async function positionOf(source: Source, offset: number): Promise<{ line: number; character: number }> {
  const position = { line: 1, character: 1 }
  let read = 0
  let previous = 0
  for await (const chunk of withFullHead(source.open())) {
    for (const byte of chunk.subarray(read === 0 ? bomLength(chunk) : 0, offset - read)) {
      if (byte === LF && previous === CR) position.character = 1
      else if (byte === LF || byte === CR) {
        position.line++
        position.character = 1
      } else if (!isContinuation(byte)) position.character++
      previous = byte
    }
    read += chunk.length
    if (read >= offset) break
  }
  return position
}

export function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

/** Returns the same bytes, with a first chunk that is long enough to contain a byte order mark. */
async function* withFullHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of chunks) {
    if (head === undefined) yield chunk
    else {
      head = concat([head, chunk])
      if (head.length < BOM.length) continue
      yield head
      head = undefined
    }
  }
  if (head !== undefined && head.length > 0) yield head
}

function rejectUtf16(bytes: Uint8Array): void {
  const mark = `${bytes[0]},${bytes[1]}`
  if (mark === '255,254' || mark === '254,255') throw new FileError(1, { code: 'utf16' })
}

async function notUtf8(source: Source, start: number, bytes: Uint8Array): Promise<FileError> {
  const index = firstInvalid(bytes)
  const { line, character } = await positionOf(source, start + index)
  const byte = bytes[index]?.toString(16).padStart(2, '0') ?? ''
  return new FileError(line, { code: 'not_utf8', character, byte })
}

/** Returns the index at which the first invalid character starts. */
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

/** Returns the bytes from the start of the last multi-byte character, if it is among the last three. */
function lastCharacter(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const end = chunk.slice(-3)
  const start = end.findLastIndex((byte) => byte >= 0xc0)
  return start === -1 ? new Uint8Array() : end.slice(start)
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0
}
