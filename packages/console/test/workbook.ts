/** Writes a small Excel workbook. */
import { packageOf, RELATIONS, SPREADSHEET } from '../../import/test/workbook.ts'

/** A date is in UTC, and is stored without a time zone, as in Excel. */
type Cell = string | number | Date | { formula: string; result: string } | undefined

/** The days of Excel are counted from here. */
const DAY_0 = Date.UTC(1899, 11, 30)
const DAY_MS = 24 * 60 * 60 * 1000

export function workbookOf(sheets: Record<string, Cell[][]>): Buffer {
  const names = Object.keys(sheets)
  const sheetTags = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')
  const relations = names
    .map(
      (_, i) => `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
    )
    .join('')
  return packageOf({
    'xl/workbook.xml': `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets>${sheetTags}</sheets></workbook>`,
    // Format 22 is a date with a time.
    'xl/styles.xml': `<styleSheet xmlns="${SPREADSHEET}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}<Relationship Id="rIdS" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
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
      if (typeof cell === 'object' && 'formula' in cell)
        return `<c r="${at}" t="str"><f>${cell.formula}</f><v>${cell.result}</v></c>`
      if (cell instanceof Date) return `<c r="${at}" s="1"><v>${(cell.getTime() - DAY_0) / DAY_MS}</v></c>`
      return typeof cell === 'number'
        ? `<c r="${at}"><v>${cell}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${cell}</t></is></c>`
    })
    return `<row r="${r + 1}">${tags.join('')}</row>`
  })
  return `<worksheet xmlns="${SPREADSHEET}"><sheetData>${data.join('')}</sheetData></worksheet>`
}
