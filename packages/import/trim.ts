/** Removes what cannot be seen from the ends of a text: blanks, and characters without a width, which web pages contain. */

/** Programs of the time of DOS end a file with it. */
export const CTRL_Z = '\u001a'
const INVISIBLE = new RegExp(String.raw`[\p{White_Space}\p{Cf}${CTRL_Z}]`, 'u')
const INVISIBLE_START = /^[\p{White_Space}\p{Cf}]+/u
const JOINED = /[\p{L}\p{M}]$/u
const JOINERS = new Set(['\u200c', '\u200d'])

/**
 * A joiner behind a letter is a part of it in Malayalam, Bengali, Hindi or Persian, and stays.
 */
export function trimCell(cell: string): string {
  if (isVisible(cell.charCodeAt(0)) && isVisible(cell.charCodeAt(cell.length - 1))) return cell
  const text = cell.replace(INVISIBLE_START, '')
  let end = text.length
  for (let last = lastCharacter(text, end); INVISIBLE.test(last); last = lastCharacter(text, end)) {
    if (JOINERS.has(last) && JOINED.test(text.slice(Math.max(0, end - 3), end - 1))) break
    end -= last.length
  }
  return text.slice(0, end)
}

/** Almost every cell begins and ends with such a character. */
function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

function lastCharacter(text: string, end: number): string {
  const code = text.codePointAt(end - 2)
  return code !== undefined && code > 0xffff ? text.slice(end - 2, end) : text.slice(Math.max(0, end - 1), end)
}
