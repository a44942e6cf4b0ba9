import { isObject } from '../../lib/json.ts'

const WIDTH = 120

/** Prints JSON compactly: whatever fits is on one line, and a list of strings has as many on each line as fit. */
export function printJson(value: unknown, indent = ''): string {
  if (!isObject(value) && !Array.isArray(value)) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  const print = (deeper: string) =>
    entries.map(([key, item]) => `${isList ? '' : `${JSON.stringify(key)}: `}${printJson(item, deeper)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const padding = isList || entries.length === 0 ? '' : ' '
  const line = `${open}${padding}${print('').join(', ')}${padding}${close}`
  if (indent.length + line.length <= WIDTH && !line.includes('\n')) return line
  const deeper = `${indent}  `
  const items = print(deeper)
  const isListOfNames = isList && value.every((item) => typeof item === 'string')
  const lines = isListOfNames ? fill(items, WIDTH - deeper.length) : items
  return `${open}\n${lines.map((item) => deeper + item).join(',\n')}\n${indent}${close}`
}

/** As many items on a line as fit. */
function fill(items: string[], width: number): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last === undefined || last.length + item.length + 3 > width) lines.push(item)
    else lines[lines.length - 1] = `${last}, ${item}`
  }
  return lines
}
