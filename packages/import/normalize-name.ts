/** Without accents, case, blanks and signs. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
