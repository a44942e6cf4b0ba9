/**
 * The cells of a sheet as they are written. hucre makes an empty cell of a reference to a text that is missing, takes the
 * first text where a reference is empty, rounds long integers, and ignores what its XML breaks off. So each value is
 * compared with what the file has.
 */
import { entriesOf, textOf } from './archive.ts'
import { cellName } from './cell-text.ts'
import { FileError } from './file-error.ts'

export interface RawCell {
  /** From 0. */
  x: number
  y: number
  type: string
  hasFormula: boolean
  /** The text of `v`; undefined without one. References to characters are not replaced. */
  value: string | undefined
  inline: string
  /** How an inline text is pronounced, which hucre appends to it. */
  phonetic: string
}

const TOKEN =
  /<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>|<(\/?)(?:[\w.-]+:)?([\p{L}_][^\s/<>:]*)((?:"[^"]*"|'[^']*'|[^"'<>])*?)(\/?)>/gsu

/** Throws FileError, which names the cell, if the XML is not well-formed or has a cell twice. */
export function* rawCells(xml: string): Generator<RawCell> {
  const open: string[] = []
  const seen = new Set<string>()
  let cell: RawCell | undefined
  let [x, y, end] = [-1, -1, 0]
  const broken = (message: string) =>
    new FileError(1, { code: 'workbook', message, cell: y < 0 || x < 0 ? undefined : cellName(x, y) })
  const add = (text: string) => {
    if (cell === undefined || text === '') return
    if (open.at(-1) === 'v') cell.value += text
    else if (open.at(-1) !== 't') return
    else if (open.includes('rPh')) cell.phonetic += text
    else cell.inline += text
  }
  for (const token of xml.matchAll(TOKEN)) {
    const [all, cdata, slash, tag = '', attributes = '', selfClosing] = token
    const text = xml.slice(end, token.index)
    if (text.includes('<')) throw broken(BROKEN)
    add(text)
    end = token.index + all.length
    if (cdata !== undefined) add(cdata)
    if (tag === '') continue
    if (slash === '') {
      open.push(tag)
      const r = attributeOf(attributes, 'r')
      if (tag === 'row') [x, y] = [-1, Number(r) > 0 ? Number(r) - 1 : y + 1]
      else if (tag === 'c' && open.at(-2) === 'row') {
        ;[x, y] = r === undefined ? [x + 1, y] : placeOf(r)
        const type = attributeOf(attributes, 't') ?? 'n'
        cell = { x, y, type, hasFormula: false, value: undefined, inline: '', phonetic: '' }
      } else if (tag === 'v' && cell !== undefined) cell.value ??= ''
      else if (tag === 'f' && cell !== undefined) cell.hasFormula = true
    }
    if (slash === '' && selfClosing === '') continue
    if (open.pop() !== tag) throw broken(BROKEN)
    if (tag !== 'c' || cell === undefined) continue
    if (seen.has(`${y},${x}`)) throw broken('the sheet has the same cell twice')
    seen.add(`${y},${x}`)
    yield cell
    cell = undefined
  }
  if (open.length > 0 || xml.slice(end).trim() !== '') throw broken(BROKEN)
}

const BROKEN = 'the XML of the sheet is broken'

/** Made once: a sheet has a million of them. */
const ATTRIBUTES = Object.fromEntries(
  ['r', 't', 'Type', 'Target', 'Id', 'relation'].map((name) => [
    name,
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`),
  ]),
)

function attributeOf(attributes: string, name: string): string | undefined {
  const [, double, single] = ATTRIBUTES[name]?.exec(attributes) ?? []
  return double ?? single
}

function placeOf(reference: string): [x: number, y: number] {
  const [, letters = '', row] = /^([A-Z]*)(.*)$/s.exec(reference.toUpperCase()) ?? []
  return [letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1, Number(row) - 1]
}

export async function sheetXml(bytes: Uint8Array<ArrayBuffer>, index: number): Promise<string> {
  const entries = entriesOf(bytes)
  const read = async (path: string): Promise<string> => {
    const entry = entries.find(({ name }) => name.toLowerCase() === path.toLowerCase())
    return entry === undefined ? '' : textOf(bytes, entry)
  }
  const targetOf = async (relations: string, base: string, isIt: (tag: string) => boolean): Promise<string> => {
    const tags = [...(await read(relations)).matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)].map(([tag]) => tag)
    return new URL(attributeOf(tags.find(isIt) ?? '', 'Target') ?? '', `file:///${base}`).pathname.slice(1)
  }
  const isWorkbook = (tag: string) => attributeOf(tag, 'Type')?.endsWith('/officeDocument') ?? false
  const workbook = await targetOf('_rels/.rels', '', isWorkbook)
  const sheet = [...(await read(workbook)).matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)][index]?.[0] ?? ''
  const id = attributeOf(sheet.replaceAll(/\s\w+:id(?=\s*=)/g, ' relation'), 'relation')
  const isSheet = (tag: string) => attributeOf(tag, 'Id') === id
  const xml = await read(await targetOf(workbook.replace(/[^/]*$/, '_rels/$&.rels'), workbook, isSheet))
  if (xml === '') throw new FileError(1, { code: 'workbook', message: 'the sheet is not in the archive' })
  return xml
}
