/** The names of cells, such as D2. Columns and rows are counted from 0. */

const [MAX_COLUMNS, MAX_ROWS] = [16_384, 1_048_576]

export function cellName(x: number, y: number): string {
  let letters = ''
  for (let rest = x; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  return `${letters}${y + 1}`
}

/** Both are -1 if there is no such cell. */
export function placeOf(name: string): [x: number, y: number] {
  let [x, y, i] = [0, 0, 0]
  for (; i < name.length; i++) {
    // The letters of lower case, too.
    const letter = name.charCodeAt(i) & 0xdf
    if (letter < 65 || letter > 90) break
    x = x * 26 + letter - 64
  }
  if (i === 0 || i > 3 || i === name.length || name.length > i + 7) return [-1, -1]
  for (; i < name.length; i++) {
    const digit = name.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return [-1, -1]
    y = y * 10 + digit
  }
  return x > MAX_COLUMNS || y < 1 || y > MAX_ROWS ? [-1, -1] : [x - 1, y - 1]
}
