/**
 * The digits of integers that a double cannot hold. Excel has 15 digits, but programs write ids with more into a workbook,
 * and a rounded id would be another one's.
 */
import { entriesOf, textOf } from './archive.ts'

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

/** The cell in which the XML of a sheet ends to be well-formed, if this is what the message of hucre says. */
export async function cellBefore(
  bytes: Uint8Array<ArrayBuffer>,
  index: number,
  message: string,
): Promise<string | undefined> {
  const [, line, column] = / at line (\d+), column (\d+)$/.exec(message) ?? []
  if (line === undefined || index < 0) return undefined
  const lines = (await sheetXml(bytes, index)).split('\n').slice(0, Number(line))
  const before = [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, Number(column))].join('\n')
  return [...before.matchAll(/<(?:\w+:)?c\s[^>]*?\br="([A-Z]+\d+)"/g)].at(-1)?.[1]
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
