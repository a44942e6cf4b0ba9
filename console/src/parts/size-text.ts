/** Powers of a thousand, as Cloudflare counts. */
export function sizeText(bytes: number, language: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  const value = bytes / 1000 ** power
  return value.toLocaleString(language, { style: 'unit', unit: units[power] ?? 'byte', maximumFractionDigits: 1 })
}
