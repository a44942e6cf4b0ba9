/** Uses powers of 1000, like Cloudflare; with powers of 1024 the size would differ from Cloudflare's dashboard. */
export function sizeText(bytes: number, language: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  const value = bytes / 1000 ** power
  return value.toLocaleString(language, { style: 'unit', unit: units[power] ?? 'byte', maximumFractionDigits: 1 })
}
