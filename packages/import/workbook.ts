/**
 * Reads Excel workbooks (ECMA-376). The parts of the archive are read as streams, so memory does not grow with the rows,
 * except by the texts that the cells share. Libraries build the whole sheet first, or drop what must be known here: errors,
 * formulas without a result, hidden rows, merged cells, and the digits of long numbers.
 */
import { openArchive, type Archive } from './archive.ts'
import { cellFormat, type CellFormat } from './cell-format.ts'
import { FileError } from './file-error.ts'
import { MergedCells } from './merged-cells.ts'
import { formatWithId } from './number-formats.ts'
import { otherArchive } from './other-formats.ts'
import { type CellContext, type ReadCell, unescaped } from './sheet-cell.ts'
import type { OpenSheet } from './sheet-source.ts'
import { mergedRanges } from './sheet-tail.ts'
import { readSheetXml } from './sheet-xml.ts'
import type { Source } from './source.ts'
import { TextTable } from './text-table.ts'
import { attributeOf, BrokenXml, isTrue, readElements, readXml } from './xml.ts'

export interface Workbook {
  sheets: string[]
  /** The sheet that is read. */
  sheet: string
  /** How many bytes of the archive it takes. */
  size: number
  rows: OpenSheet
}

export interface WorkbookOptions {
  /** The name of a sheet; the first visible one if it is omitted. */
  sheet?: string | undefined
  /** Rows that are hidden, by a filter or by hand, are read, too. */
  hiddenRows?: boolean | undefined
  /** The archive may promise more than 100 MB, and more than 100 times its size. */
  isLarge?: boolean | undefined
  /** Gets the share of what must be read before the rows. */
  onProgress?: ((share: number) => void) | undefined
}

interface Package {
  archive: Archive
  sheets: { name: string; path: string; isHidden: boolean }[]
  texts: string
  styles: string
  is1904: boolean
  isUncalculated: boolean
}

interface Relation {
  id: string
  type: string
  path: string
}

/** Throws FileError if the file is no workbook, or has no such sheet. */
export async function openWorkbook(file: Source, options: WorkbookOptions = {}): Promise<Workbook> {
  return namingBrokenXml(async () => {
    const archive = await openArchive(file, options.isLarge ?? false)
    const format = otherArchive(archive.names)
    if (format !== undefined) throw new FileError(1, { code: 'other_format', format })
    const book = await readPackage(archive)
    const sheets = book.sheets.map(({ name }) => name)
    const chosen = chooseSheet(book, options.sheet)
    if (chosen === undefined)
      throw new FileError(1, { code: 'unknown_sheet', name: options.sheet ?? '', known: sheets })
    const size = archive.sizeOf(chosen.path)
    if (size === undefined) throw new FileError(1, { code: 'workbook', message: 'the sheet is not in the archive' })
    const all = size + (archive.sizeOf(book.texts) ?? 0)
    const context = await readContext(book, (bytes) => options.onProgress?.(bytes / all))
    const ranges = await mergedRanges(
      archive.read(chosen.path, (bytes) => options.onProgress?.((all - size + bytes) / all)),
    )
    return {
      sheets,
      sheet: chosen.name,
      size,
      async *rows(signal) {
        let bytes = 0
        const chunks = archive.read(chosen.path, (count) => (bytes = count))
        const merged = new MergedCells<ReadCell>(ranges)
        const withHidden = options.hiddenRows ?? false
        for await (const part of readSheetXml(chunks, { ...context, merged, withHidden })) {
          signal?.throwIfAborted()
          yield { ...part, bytes }
        }
      },
    }
  })
}

function chooseSheet({ sheets }: Package, name: string | undefined): Package['sheets'][number] | undefined {
  if (name !== undefined) return sheets.find((sheet) => sheet.name === name)
  return sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]
}

async function readPackage(archive: Archive): Promise<Package> {
  const main = (await relationsOf(archive, '')).find(({ type }) => type === 'officeDocument')
  if (main === undefined || archive.sizeOf(main.path) === undefined)
    throw new FileError(1, { code: 'workbook', message: 'the archive contains no workbook' })
  const relations = await relationsOf(archive, main.path)
  const pathOf = (type: string): string => relations.find((relation) => relation.type === type)?.path ?? ''
  const book: Package = {
    archive,
    sheets: [],
    texts: pathOf('sharedStrings'),
    styles: pathOf('styles'),
    is1904: false,
    isUncalculated: false,
  }
  await readElements(archive.read(main.path), (name, attributes) => {
    if (name === 'workbookPr') book.is1904 = isTrue(attributeOf(attributes, 'date1904'))
    if (name === 'calcPr') book.isUncalculated = isTrue(attributeOf(attributes, 'fullCalcOnLoad'))
    if (name !== 'sheet') return
    const relation = relations.find(({ id }) => id === attributeOf(attributes, 'id'))
    // A workbook may have sheets that are charts.
    if (relation !== undefined && relation.type !== 'worksheet') return
    const isHidden = ['hidden', 'veryHidden'].includes(attributeOf(attributes, 'state') ?? '')
    book.sheets.push({ name: attributeOf(attributes, 'name') ?? '', path: relation?.path ?? '', isHidden })
  })
  return book
}

/** The types of relations are addresses, which differ between the two variants of the standard but for their ends. */
async function relationsOf(archive: Archive, path: string): Promise<Relation[]> {
  const relations: Relation[] = []
  const file = path === '' ? '_rels/.rels' : path.replace(/[^/]*$/, '_rels/$&.rels')
  await readElements(archive.read(file), (name, attributes) => {
    if (name !== 'Relationship') return
    const { pathname } = new URL((attributeOf(attributes, 'Target') ?? '').replaceAll('\\', '/'), `file:///${path}`)
    relations.push({
      id: attributeOf(attributes, 'Id') ?? '',
      type: attributeOf(attributes, 'Type')?.replace(/^.*\//, '') ?? '',
      path: decodeURIComponent(pathname).slice(1),
    })
  })
  return relations
}

async function readContext(
  { archive, texts, styles, is1904, isUncalculated }: Package,
  onBytes: (bytes: number) => void,
): Promise<CellContext> {
  return {
    texts: await readTexts(archive.read(texts, onBytes)),
    formats: await readFormats(archive.read(styles), is1904),
    isUncalculated,
  }
}

async function readTexts(chunks: AsyncIterable<Uint8Array>): Promise<TextTable> {
  const table = new TextTable()
  let [text, isText, isPhonetic] = ['', false, false]
  const reading = readXml(chunks, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 't') isText = true
      if (name === 'rPh') isPhonetic = true
    },
    close(name) {
      if (name === 'si') table.add(unescaped(text))
      if (name === 't') isText = false
      if (name === 'rPh') isPhonetic = false
    },
    text(part) {
      if (isText && !isPhonetic) text += part
    },
  })
  while (!(await reading.next()).done);
  return table
}

/** The formats of the cells, by the numbers that the cells have in `s`. */
async function readFormats(chunks: AsyncIterable<Uint8Array>, is1904: boolean): Promise<CellFormat[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let list = ''
  await readElements(chunks, (name, attributes) => {
    if (['numFmts', 'cellXfs', 'cellStyleXfs', 'dxfs'].includes(name)) list = name
    if (name === 'numFmt' && list === 'numFmts')
      codes.set(Number(attributeOf(attributes, 'numFmtId')), attributeOf(attributes, 'formatCode') ?? '')
    if (name === 'xf' && list === 'cellXfs') ids.push(Number(attributeOf(attributes, 'numFmtId') ?? 0))
  })
  const { locale } = Intl.NumberFormat().resolvedOptions()
  const formats = new Map<number, CellFormat>()
  return ids.map((id) => {
    const format = formats.get(id) ?? cellFormat(codes.get(id) ?? formatWithId(id), is1904, locale)
    formats.set(id, format)
    return format
  })
}

async function namingBrokenXml<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof BrokenXml)) throw error
    throw new FileError(1, { code: 'workbook', message: `the XML of the workbook is broken (${error.message})` })
  }
}
