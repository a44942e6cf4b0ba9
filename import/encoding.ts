/**
 * Files of Excel come in three encodings: UTF-8 ("CSV UTF-8"), Windows-1252 ("CSV") and UTF-16 ("Unicode text"). The
 * import itself reads UTF-8 alone, strictly; other files are converted before it. UTF-16 is certain by its first bytes.
 * Windows-1252 is a guess, because every byte is valid in it, so whoever imports must look at the accents.
 */
import { FileError } from './file-error.ts'
import { readUtf8, type Source } from './source.ts'

export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Reads the file until it is clear that it is not UTF-8. */
export async function detectEncoding(source: Source): Promise<Encoding> {
  const [a, b, c, d] = await firstBytes(source)
  if ((a === 0xff && b === 0xfe) || (b === 0 && d === 0 && a !== 0 && c !== 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && c === 0 && b !== 0 && d !== 0)) return 'utf-16be'
  try {
    for await (const chunk of readUtf8(source)) void chunk
    return 'utf-8'
  } catch (error) {
    if (error instanceof FileError) return 'windows-1252'
    throw error
  }
}

/** The same text in UTF-8. */
export function inUtf8(source: Source, encoding: Encoding): Source {
  if (encoding === 'utf-8') return source
  return {
    ...source,
    async *open() {
      const [decoder, encoder] = [new TextDecoder(encoding, { fatal: true, ignoreBOM: false }), new TextEncoder()]
      try {
        for await (const chunk of source.open()) {
          const text = decoder.decode(chunk, { stream: true })
          if (text !== '') yield encoder.encode(text)
        }
        yield encoder.encode(decoder.decode())
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new FileError(1, { code: 'not_encoding', encoding })
      }
    },
  }
}

async function firstBytes(source: Source): Promise<number[]> {
  const bytes: number[] = []
  for await (const chunk of source.open()) {
    bytes.push(...chunk.subarray(0, 4))
    if (bytes.length >= 4) break
  }
  return bytes
}
