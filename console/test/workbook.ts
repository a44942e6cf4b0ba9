/** Writes a small Excel workbook: an archive without compression of the four files that every reader needs. */
import { crc32 } from 'node:zlib'

/** A date is in UTC, and is stored without a time zone, as in Excel. */
type Cell = string | number | Date | undefined

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
/** The days of Excel are counted from here. */
const DAY_0 = Date.UTC(1899, 11, 30)
const DAY_MS = 24 * 60 * 60 * 1000

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export function workbookOf(sheets: Record<string, Cell[][]>): Buffer {
  const names = Object.keys(sheets)
  const sheetTags = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')
  const relations = names
    .map(
      (_, i) => `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
    )
    .join('')
  return zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets>${sheetTags}</sheets></workbook>`,
    // Format 22 is a date with a time.
    'xl/styles.xml': `<styleSheet xmlns="${SPREADSHEET}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
    ...Object.fromEntries(Object.values(sheets).map((rows, i) => [`xl/worksheets/sheet${i + 1}.xml`, sheetOf(rows)])),
  })
}

function sheetOf(rows: Cell[][]): string {
  const data = rows.map((cells, r) => {
    // Excel stores no empty rows.
    if (cells.length === 0) return ''
    const tags = cells.map((cell, c) => {
      const at = `${String.fromCodePoint(65 + c)}${r + 1}`
      if (cell === undefined) return ''
      if (cell instanceof Date) return `<c r="${at}" s="1"><v>${(cell.getTime() - DAY_0) / DAY_MS}</v></c>`
      return typeof cell === 'number'
        ? `<c r="${at}"><v>${cell}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${cell}</t></is></c>`
    })
    return `<row r="${r + 1}">${tags.join('')}</row>`
  })
  return `<worksheet xmlns="${SPREADSHEET}"><sheetData>${data.join('')}</sheetData></worksheet>`
}

function zipOf(files: Record<string, string>): Buffer {
  const [parts, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(path.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), common, rest, path]))
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, path, content)
    offset += 4 + common.length + path.length + content.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directory, end])
}
