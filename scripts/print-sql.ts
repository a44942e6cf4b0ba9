/** Prints SQL for reading: what fits is on one line, and what does not is split at its clauses, conditions and commas. */

const WIDTH = 110

/** A word or sign of SQL, or what is between two parentheses. */
type Token = string | Token[]

export function printSql(text: string): string {
  return print(parse(text), '').join('\n')
}

function parse(text: string): Token[] {
  const root: Token[] = []
  const open = [root]
  for (const [sign] of text.replaceAll(/\s+/g, ' ').matchAll(/'(?:[^']|'')*'|"[^"]*"|[(),]|[^\s(),'"]+|\s/g)) {
    if (sign === '(') {
      const group: Token[] = []
      open.at(-1)?.push(group)
      open.push(group)
    } else if (sign === ')') {
      open.pop()
    } else {
      open.at(-1)?.push(sign)
    }
  }
  return root
}

function join(tokens: readonly Token[]): string {
  return tokens.map((token) => (typeof token === 'string' ? token : `(${join(token)})`)).join('')
}

const fits = (text: string, indent: string) => indent.length + text.length <= WIDTH

function print(tokens: readonly Token[], indent: string): string[] {
  const text = join(tokens).trim()
  if (fits(text, indent)) return [indent + text]
  const lines = split(tokens)
  const hasClauses = lines[0] !== undefined && isClause(lines[0].tokens, 0)
  return fill(
    lines.map(({ begins, tokens: line }, index) => {
      const isInner = index > 0 && (begins === 'condition' || (begins === 'item' && hasClauses))
      const inner = isInner ? `${indent}  ` : indent
      return { isItem: begins === 'item', indent: inner, texts: printLine(line, inner) }
    }),
  )
}

interface Line {
  begins: 'clause' | 'condition' | 'item'
  tokens: Token[]
}

const CLAUSES = /^(select|from|left|inner|where|group|order|limit|set|values|returning|end|union)$/
const STATEMENTS = /^(insert|update|delete)$/

/** `on` begins a clause in `on conflict`, and not in a join. `update` begins none in `do update`. */
function isClause(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (typeof token !== 'string') return false
  return (
    CLAUSES.test(token) || (at === 0 && STATEMENTS.test(token)) || (token === 'on' && tokens[at + 2] === 'conflict')
  )
}

/** The `and` of `between x and y` begins no line. */
function split(tokens: readonly Token[]): Line[] {
  const lines: Line[] = [{ begins: 'clause', tokens: [] }]
  let isBetween = false
  for (const [at, token] of tokens.entries()) {
    const isCondition =
      typeof token === 'string' && /^(and|or|when|else)$/.test(token) && !(isBetween && token === 'and')
    if (token === 'between' || token === 'and') isBetween = token === 'between'
    const line = lines.at(-1)
    const isEmpty = line === undefined || join(line.tokens).trim() === ''
    const isItem = tokens[at - 1] === ','
    if (!isEmpty && (isClause(tokens, at) || isCondition)) {
      lines.push({ begins: isCondition ? 'condition' : 'clause', tokens: [token] })
    } else if (!isEmpty && isItem) {
      lines.push({ begins: 'item', tokens: [token] })
    } else {
      line?.tokens.push(token)
    }
  }
  return lines
}

interface Printed {
  isItem: boolean
  indent: string
  texts: string[]
}

/** As many items of a list on a line as fit. */
function fill(lines: Printed[]): string[] {
  const texts: string[] = []
  let isOpen = false
  for (const line of lines) {
    const [text = '', ...more] = line.texts
    const last = texts.at(-1) ?? ''
    const isShort = more.length === 0
    const joined = `${last} ${text.trimStart()}`
    if (line.isItem && isOpen && isShort && fits(joined, '')) texts[texts.length - 1] = joined
    else texts.push(...line.texts)
    isOpen = isShort
  }
  return texts
}

/** A line that is too long has its longest group on lines of its own. */
function printLine(tokens: readonly Token[], indent: string): string[] {
  const text = join(tokens).trim()
  const groups = tokens.filter((token) => typeof token !== 'string')
  const longest = groups.toSorted((a, b) => join(b).length - join(a).length)[0]
  if (fits(text, indent) || longest === undefined) return [indent + text]
  const at = tokens.indexOf(longest)
  return [
    `${indent}${join(tokens.slice(0, at)).trimStart()}(`,
    ...print(longest, `${indent}  `),
    `${indent})${join(tokens.slice(at + 1)).trimEnd()}`,
  ]
}
