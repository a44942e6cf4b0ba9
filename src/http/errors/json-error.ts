/**
 * Finds the first character that makes a text invalid JSON (RFC 8259). The messages of JSON.parse do not always name a
 * position, and they quote the text, which may be about a person. It has a stack of its own, because a body can be nested
 * 32,000 levels deep.
 */
interface JsonErrorPosition {
  /** Both are counted from 1, in code points. */
  line: number
  column: number
  /** True if the text ends before the value does. */
  isAtEnd: boolean
}

/** Undefined for valid JSON. */
export function jsonErrorPosition(text: string): JsonErrorPosition | undefined {
  const index = firstWrongIndex(text)
  if (index === undefined) return undefined
  const lines = text.slice(0, index).split(/\r\n|\r|\n/)
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1, isAtEnd: index >= text.length }
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end'

const WORDS = ['true', 'false', 'null']
/** As much of a number as there is. It is a whole one if its last character is a digit. */
const NUMBER = /-?(?:0|[1-9]\d*)?(?:(?<=\d)\.\d*)?(?:(?<=\d)[eE](?:[+-]?\d*))?/y
const BLANKS = /[ \t\r\n]*/y

function firstWrongIndex(text: string): number | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  for (let i = after(BLANKS, text, 0); i < text.length || expected !== 'comma or end' || open.length > 0;) {
    const character = text[i] ?? ''
    const container = open.at(-1)
    if ((expected === 'key or }' || expected === 'comma or end') && character === '}' && container === '{') {
      open.pop()
      expected = 'comma or end'
      i++
    } else if ((expected === 'value or ]' || expected === 'comma or end') && character === ']' && container === '[') {
      open.pop()
      expected = 'comma or end'
      i++
    } else if (expected === 'comma or end') {
      if (character !== ',' || container === undefined) return i
      expected = container === '{' ? 'key' : 'value'
      i++
    } else if (expected === 'colon') {
      if (character !== ':') return i
      expected = 'value'
      i++
    } else if (expected === 'key' || expected === 'key or }') {
      const end = character === '"' ? stringEnd(text, i) : { wrong: i }
      if ('wrong' in end) return end.wrong
      expected = 'colon'
      i = end.end
    } else if (character === '{' || character === '[') {
      open.push(character)
      expected = character === '{' ? 'key or }' : 'value or ]'
      i++
    } else {
      const end = character === '"' ? stringEnd(text, i) : scalarEnd(text, i)
      if ('wrong' in end) return end.wrong
      expected = 'comma or end'
      i = end.end
    }
    i = after(BLANKS, text, i)
  }
  return undefined
}

type End = { end: number } | { wrong: number }

function stringEnd(text: string, start: number): End {
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i] ?? ''
    if (character === '"') return { end: i + 1 }
    if (character < ' ') return { wrong: i }
    if (character !== '\\') continue
    i++
    if (text[i] === 'u') {
      for (const last = i + 4; i < last; i++) if (!/^[\da-fA-F]$/.test(text[i + 1] ?? '')) return { wrong: i + 1 }
    } else if (!/^["\\/bfnrt]$/.test(text[i] ?? '')) return { wrong: i }
  }
  return { wrong: text.length }
}

function scalarEnd(text: string, start: number): End {
  const word = WORDS.find((each) => each[0] === text[start])
  if (word !== undefined) {
    const wrong = word.split('').findIndex((character, i) => text[start + i] !== character)
    return wrong < 0 ? { end: start + word.length } : { wrong: start + wrong }
  }
  const end = after(NUMBER, text, start)
  return end > start && /\d/.test(text[end - 1] ?? '') ? { end } : { wrong: end }
}

/** Returns the index after what the pattern matches here. */
function after(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return index + (pattern.exec(text)?.[0].length ?? 0)
}
