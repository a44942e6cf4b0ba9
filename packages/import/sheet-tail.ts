/** The merged ranges of a sheet. They stand behind its rows, so the end of the sheet is read before its beginning. */

const END_OF_ROWS = /<\/(?:[\w.-]+:)?sheetData\s*>/g
const RANGE = /<(?:[\w.-]+:)?mergeCell\s(?:[^>]*\s)?ref\s*=\s*["']([^"']*)["']/g
/** The tag may be cut by the end of a chunk. */
const OVERLAP = 100

/** The chunks are not parsed, which takes a tenth of the time. */
export async function mergedRanges(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  // Each byte becomes a character, and what is looked for is ASCII.
  const decoder = new TextDecoder('latin1')
  let tail: string[] | undefined
  let before = ''
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk)
    const both = before + text
    // Only the last such tag ends the rows: a text may contain one.
    const end = both.includes('sheetData') ? [...both.matchAll(END_OF_ROWS)].at(-1) : undefined
    if (end === undefined) tail?.push(text)
    else tail = [both.slice(end.index)]
    before = both.slice(-OVERLAP)
  }
  return [...(tail?.join('') ?? '').matchAll(RANGE)].map(([, reference = '']) => reference)
}
