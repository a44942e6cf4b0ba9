/** Formats that the import does not read, so that a refusal can say how to save the file. */

export type OtherFormat = 'ods' | 'xlsb' | 'numbers' | 'slk' | 'dif'

/** What people see of the files. */
export const OTHER_FORMATS: Record<OtherFormat, string> = {
  ods: 'OpenDocument (.ods)',
  xlsb: 'Excel binary (.xlsb)',
  numbers: 'Apple Numbers (.numbers)',
  slk: 'SYLK (.slk)',
  dif: 'DIF (.dif)',
}

/** Recognizes an archive by the names of its files. */
export function otherArchive(names: string[]): OtherFormat | undefined {
  if (names.includes('xl/workbook.bin')) return 'xlsb'
  if (names.includes('content.xml') && names.includes('mimetype')) return 'ods'
  return names.some((name) => /(?:^|\/)Index\/.*\.iwa$|(?:^|\/)Index\.zip$/.test(name)) ? 'numbers' : undefined
}

/** Recognizes a text by its first bytes. */
export function otherText(bytes: Uint8Array): OtherFormat | undefined {
  const start = new TextDecoder('latin1').decode(bytes)
  if (start.startsWith('ID;P')) return 'slk'
  return /^TABLE\r?\n0/.test(start) ? 'dif' : undefined
}

/** Values of a database: tabs between them and no quotes, so a tab, a line break and a backslash are written like this. */
export function isDatabaseText(cell: string): boolean {
  return /\\[bfnrtv0\\]/.test(cell)
}
