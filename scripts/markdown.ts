/** A table with padded columns, as the formatter writes it. */
export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/**
 * Replaces the part of a page between `<!-- generated from … -->` and `<!-- end -->`. Throws if the page has no such part,
 * because the table would otherwise never be updated.
 */
export function replaceGenerated(page: string, content: string): string {
  const part = /(<!-- generated from [^>]+ -->\n)[^]*(<!-- end -->)/
  if (!part.test(page)) throw new Error('the page has no generated part')
  return page.replace(part, (_all, start: string, end: string) => `${start}\n${content}\n\n${end}`)
}
