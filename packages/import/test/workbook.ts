/** Writes workbooks from the XML of their sheets, as programs write them that are not Excel. */
import { crc32 } from 'node:zlib'

export const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

interface Parts {
  /** The attributes of `workbookPr`. */
  properties?: string
  /** The formats of the cells `s="1"`, `s="2"`, …, or the whole `numFmts` and `cellXfs`. */
  formats?: string[]
  styles?: string | undefined
  /** The attributes of each `sheet`. */
  states?: string[]
  /** The attributes of `calcPr`. */
  calc?: string
  /** What stands behind the rows of each sheet. */
  tail?: string
  /** Further files in the archive. */
  extra?: Record<string, ZipEntry>
}

/** The sheets are the XML of their rows. */
export function workbookXml(
  sheets: Record<string, string>,
  { properties = '', formats = [], styles, states = [], calc = '', tail = '', extra = {} }: Parts = {},
): Buffer {
  const names = Object.keys(sheets)
  const tags = names.map(
    (name, i) => `<sheet name="${name}" sheetId="${i + 1}" ${states[i] ?? ''} r:id="rId${i + 1}"/>`,
  )
  const relations = names.map(
    (_, i) => `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  )
  const styleRelation = `<Relationship Id="rIdS" Type="${RELATIONS}/styles" Target="styles.xml"/>`
  const codes = formats.map(
    (code, i) =>
      `<numFmt numFmtId="${i + 60}" formatCode="${code.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"/>`,
  )
  const xfs = formats.map((_, i) => `<xf numFmtId="${i + 60}" applyNumberFormat="1"/>`)
  const ownStyles = `<numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs>`
  const hasStyles = formats.length > 0 || styles !== undefined
  const files = {
    'xl/workbook.xml': `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><workbookPr ${properties}/><sheets>${tags.join('')}</sheets><calcPr ${calc}/></workbook>`,
    ...(hasStyles && { 'xl/styles.xml': `<styleSheet xmlns="${SPREADSHEET}">${styles ?? ownStyles}</styleSheet>` }),
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}${hasStyles ? styleRelation : ''}</Relationships>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet xmlns="${SPREADSHEET}"><sheetData>${rows}</sheetData>${tail}</worksheet>`,
      ]),
    ),
  }
  return packageOf(files, undefined, extra)
}

/** The archive of a workbook with these files. */
export function packageOf(
  files: Record<string, string>,
  nameOf: (name: string) => string = (name) => name,
  extra: Record<string, ZipEntry> = {},
): Buffer {
  const target = `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/>`
  const all = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${target}</Relationships>`,
    ...files,
  }
  const entries = Object.entries(all).map(([name, text]) => [nameOf(name), { content: Buffer.from(text) }])
  return zipOf({ ...Object.fromEntries(entries), ...extra })
}

export interface ZipEntry {
  content: Buffer
  /** True if the content is deflated. */
  isPacked?: boolean
  /** The length that the directory promises. */
  promise?: number
  /** The numbers stand in an extra field of 64 bits. */
  isLong?: boolean
}

export function zipOf(files: Record<string, ZipEntry>): Buffer {
  const [parts, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, { content, isPacked = false, promise = content.length, isLong = false }] of Object.entries(files)) {
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(isPacked ? 8 : 0, 4)
    common.writeUInt32LE(isPacked ? 0 : crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(promise, 18)
    common.writeUInt16LE(path.length, 22)
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.from(common), path, content)
    const extra = Buffer.alloc(isLong ? 28 : 0)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    if (isLong) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      for (const [i, number] of [promise, content.length, offset].entries())
        extra.writeBigUInt64LE(BigInt(number), 4 + i * 8)
      common.fill(0xff, 14, 22)
      common.writeUInt16LE(extra.length, 24)
      rest.fill(0xff, 10)
    }
    entries.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), common, rest, path, extra)
    offset += 4 + common.length + path.length + content.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directory, end])
}
