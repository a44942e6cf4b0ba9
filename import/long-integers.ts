/**
 * The digits of integers that a double cannot hold. Excel has 15 digits, but programs write ids with more into a workbook,
 * and a rounded id would be another one's.
 */

interface Entry {
  name: string
  isCompressed: boolean
  start: number
  size: number
}

const VALUE = /<(?:\w+:)?c\b([^>]*)>(?:(?!<\/(?:\w+:)?c>).)*?<(?:\w+:)?v>\s*(-?\d{16,})\s*<\/(?:\w+:)?v>/gs

/** Returns the digits by `row,column`, both from 0. A number whose digits cannot be found is left out. */
export async function longIntegers(
  bytes: Uint8Array<ArrayBuffer>,
  index: number,
  rows: readonly (readonly unknown[])[],
): Promise<Map<string, string>> {
  const places = rows.flatMap((row, y) =>
    row.flatMap((value, x) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? [{ place: `${y},${x}`, value }]
        : [],
    ),
  )
  if (places.length === 0) return new Map()
  const xml = await sheetXml(bytes, index)
  // The cells are in the order of the sheet, and their values must be those that were read.
  const found = [...xml.matchAll(VALUE)]
    .filter(([, attributes = '']) => !/\bt="(?!n")/.test(attributes))
    .map(([, , digits = '']) => digits)
    .filter((digits) => !Number.isSafeInteger(Number(digits)))
  const digits = new Map<string, string>()
  let next = 0
  for (const { place, value } of places) {
    if (Number(found[next]) !== value) continue
    digits.set(place, found[next++] ?? '')
  }
  return digits
}

async function sheetXml(bytes: Uint8Array<ArrayBuffer>, index: number): Promise<string> {
  const entries = entriesOf(bytes)
  const read = async (name: string): Promise<string> => {
    const entry = entries.find((each) => each.name.toLowerCase() === name.toLowerCase())
    return entry === undefined ? '' : textOf(bytes, entry)
  }
  const workbook = await read('xl/workbook.xml')
  const [, id] = [...workbook.matchAll(/<(?:\w+:)?sheet\b[^>]*?\b\w+:id="([^"]+)"/g)][index] ?? []
  const relations = [...(await read('xl/_rels/workbook.xml.rels')).matchAll(/<(?:\w+:)?Relationship\b[^>]*>/g)]
  const relation = relations.map(([tag]) => tag).find((tag) => tag.includes(`Id="${id}"`))
  const target = /\bTarget="([^"]+)"/.exec(relation ?? '')?.[1] ?? ''
  return read(target.startsWith('/') ? target.slice(1) : `xl/${target}`)
}

/** Reads the directory at the end of the archive. */
function entriesOf(bytes: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < 0) return []
  const entries: Entry[] = []
  let at = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0 && view.getUint32(at, true) === 0x02014b50; count--) {
    const nameLength = view.getUint16(at + 28, true)
    const local = view.getUint32(at + 42, true)
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)).replaceAll('\\', '/'),
      isCompressed: view.getUint16(at + 10, true) === 8,
      start: local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true),
      size: view.getUint32(at + 20, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

async function textOf(bytes: Uint8Array<ArrayBuffer>, { start, size, isCompressed }: Entry): Promise<string> {
  const data = new Blob([bytes.subarray(start, start + size)])
  const stream = isCompressed ? data.stream().pipeThrough(new DecompressionStream('deflate-raw')) : data.stream()
  return new Response(stream).text()
}
