/**
 * Files of Excel come in UTF-8 ("CSV UTF-8"), Windows-1252 ("CSV"), Macintosh ("CSV (Macintosh)") and UTF-16 ("Unicode
 * text"). The import itself reads UTF-8 alone, strictly; other files are converted before it. UTF-16 is certain by its
 * first bytes. The others are a guess, so whoever imports must look at the accents.
 */
import { FileError } from './file-error.ts'
import { readUtf8, type Source } from './source.ts'

/** The likely ones. Any other of the WHATWG Encoding Standard can be named, too. */
export const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'macintosh',
  'windows-1250',
  'windows-1251',
  'shift_jis',
  'utf-16le',
  'utf-16be',
]

/** Returns the name of the encoding in the standard, or undefined if it has none with this label. */
export function encodingNamed(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Windows-1252 has no characters for these bytes; the standard reads them as control characters. */
const NOT_WINDOWS = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
/** No text contains them: they are what is left of a byte that the encoding does not have. */
const CONTROL = /[\u0080-\u009f]/

/** Reads the file until it is clear that it is not UTF-8, and then to find a byte that Windows-1252 does not have. */
export async function detectEncoding(source: Source): Promise<string> {
  const [a, b, c, d] = await firstBytes(source)
  if ((a === 0xff && b === 0xfe) || (b === 0 && d === 0 && a !== 0 && c !== 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && c === 0 && b !== 0 && d !== 0)) return 'utf-16be'
  try {
    for await (const chunk of readUtf8(source)) void chunk
    return 'utf-8'
  } catch (error) {
    if (!(error instanceof FileError)) throw error
  }
  for await (const chunk of source.open()) if (chunk.some((byte) => NOT_WINDOWS.has(byte))) return 'macintosh'
  return 'windows-1252'
}

/** The same text in UTF-8. Reading it throws FileError at a byte that the encoding does not have. */
export function inUtf8(source: Source, encoding: string): Source {
  if (encoding === 'utf-8') return source
  return {
    ...source,
    async *open() {
      const [decoder, encoder] = [decoderOf(encoding), new TextEncoder()]
      let chunks = 0
      try {
        for await (const chunk of source.open()) {
          const text = decode(decoder, chunk)
          if (text !== '') yield encoder.encode(text)
          chunks++
        }
        yield encoder.encode(decoder.decode())
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw await invalidByte(source, encoding, chunks)
      }
    },
  }
}

function decoderOf(encoding: string): TextDecoder {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: false })
}

/** Throws TypeError if a byte is invalid. */
function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  const text = decoder.decode(bytes, { stream: true })
  if (CONTROL.test(text)) throw new TypeError('a byte without a character')
  return text
}

/** Reads the file again up to the chunk that contains the byte, and that chunk byte by byte. */
async function invalidByte(source: Source, encoding: string, index: number): Promise<FileError> {
  const decoder = decoderOf(encoding)
  let line = 1
  let character = 1
  let previous = ''
  let last = 0
  const count = (text: string): void => {
    for (const each of text) {
      if (each === '\n' && previous === '\r') character = 1
      else if (each === '\n' || each === '\r') {
        line++
        character = 1
      } else character++
      previous = each
    }
  }
  let chunks = 0
  try {
    for await (const chunk of source.open()) {
      if (chunks++ < index) {
        count(decode(decoder, chunk))
        // The file may end within a character.
        last = chunk.at(-1) ?? last
      } else
        for (const byte of chunk) {
          last = byte
          count(decode(decoder, Uint8Array.of(byte)))
        }
    }
    count(decoder.decode())
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  return new FileError(line, { code: 'not_encoding', encoding, character, byte: last.toString(16).padStart(2, '0') })
}

async function firstBytes(source: Source): Promise<number[]> {
  const bytes: number[] = []
  for await (const chunk of source.open()) {
    bytes.push(...chunk.subarray(0, 4))
    if (bytes.length >= 4) break
  }
  return bytes
}
