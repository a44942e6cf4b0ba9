/** The `'` before what a spreadsheet would run as a formula, in a file of failed rows. */

/** The columns of a file of failed rows. If it is imported, they are ignored, and the next file has others in their place. */
export const OWN_COLUMNS = ['_line', '_errors']
/** Those of a workbook of failed rows, for people, in the languages of the console. Its texts are not disarmed: they cannot run. */
export const OWN_TITLES = {
  en: ['Row in the file', 'What to correct'],
  es: ['Fila del archivo', 'Qué corregir'],
  'pt-BR': ['Linha do arquivo', 'O que corrigir'],
  'pt-PT': ['Linha do ficheiro', 'O que corrigir'],
} as const

const OWN: ReadonlySet<string> = new Set([...OWN_COLUMNS, ...Object.values(OWN_TITLES).flat()])

export function isOwn(column: string): boolean {
  return OWN.has(column)
}

/**
 * At the same places as `spreadsheet=true` (src/modules/csv-files/csv.ts). It is also put before a `'` that is there already: without
 * that, reading could not tell the two apart, and would change a password.
 */
export function disarm(cell: string): string {
  return cell.replaceAll(/(?<=^|[\n\r;\t,])(?='*[=+\-@\t\r])/g, "'")
}

/** Returns a function that undoes `disarm` if the header is one of a file of failed rows. */
export function rearming(header: string[]): (cells: string[]) => string[] {
  if (!OWN_COLUMNS.some((name) => header.includes(name))) return (cells) => cells
  return (cells) => cells.map((cell) => cell.replaceAll(/(?<=^|[\n\r;\t,])'(?='*[=+\-@\t\r])/g, ''))
}
