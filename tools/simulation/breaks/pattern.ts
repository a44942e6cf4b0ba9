/** Compares a pattern (break.ts) with a syntax tree. */
import { fieldsOf, isNode, nameOf, type Node, nodesIn, nodesOf, parse, type Place, requireNode } from './syntax.ts'

/** What stands in the source where the pattern has a name; a list where it has one for any number of elements. */
export type Found = Map<string, Node | Node[]>

export interface Match {
  start: number
  end: number
  found: Found
  /** The node that was found, in its parent; undefined for a part of a text and for several statements. */
  whole?: Place
}

/** Stands for each expression in the text of a template. */
const HOLE = '\uE000'

export function findMatches(pattern: string, scope: Node): Match[] {
  const wanted = parsePattern(pattern)
  return [{ node: scope, parent: scope }, ...nodesOf(scope)].flatMap((place) => {
    const { node, parent } = place
    // What a pattern of names takes from an object is no property, and in `{ a }` one text is a key and a value.
    if (parent.type === 'ObjectPattern' || (parent['shorthand'] === true && parent['key'] === node)) return []
    return Array.isArray(wanted) ? sequencesIn(node, wanted) : findAt(place, wanted)
  })
}

/** A property, an expression, a statement, or several statements that follow each other. */
function parsePattern(pattern: string): Node | Node[] {
  if (/^\w+: /.test(pattern)) return requireNode(nodesIn(expressionIn(`({ ${pattern} })`)['properties'])[0])
  try {
    return expressionIn(`(${pattern})`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const statements = nodesIn(requireNode(expressionIn(`async () => { ${pattern} }`)['body'])['body'])
    return statements.length === 1 ? requireNode(statements[0]) : statements
  }
}

function expressionIn(source: string): Node {
  return requireNode(nodesIn(parse(source)['body'])[0]?.['expression'])
}

function findAt({ node, parent }: Place, wanted: Node): Match[] {
  if (wanted.type === 'TemplateLiteral' && node.type === 'TemplateLiteral') return partsOf(node, wanted)
  const found: Found = new Map()
  return isMatch(wanted, node, found) ? [{ start: node.start, end: node.end, found, whole: { node, parent } }] : []
}

function sequencesIn(node: Node, wanted: Node[]): Match[] {
  const statements = nodesIn(node['body'])
  return statements.flatMap((first, i) => {
    const found: Found = new Map()
    const sequence = statements.slice(i, i + wanted.length)
    return isMatch(wanted, sequence, found) ? [{ start: first.start, end: sequence.at(-1)?.end ?? 0, found }] : []
  })
}

/** Writes what stands for the names of the pattern into `found`, which has no meaning if they do not match. */
function isMatch(wanted: unknown, value: unknown, found: Found): boolean {
  if (Array.isArray(wanted)) return Array.isArray(value) && isListMatch(wanted, value, found)
  if (!isNode(wanted)) return JSON.stringify(wanted) === JSON.stringify(value)
  if (!isNode(value)) return false
  const name = holeOf(wanted)
  if (name !== undefined) return isSame(name, value, found)
  if (wanted.type !== value.type) return false
  if (wanted.type !== 'TemplateLiteral')
    return fieldsOf(wanted).every(([field, each]) => isMatch(each, value[field], found))
  const [part] = partsOf(value, wanted)
  for (const [each, nodes] of part?.found ?? []) found.set(each, nodes)
  return part !== undefined
}

/** A name stands for the same everywhere. */
function isSame(name: string, value: Node, found: Found): boolean {
  const earlier = found.get(name)
  if (name !== '_' && earlier !== undefined) return isMatch(earlier, value, new Map())
  found.set(name, value)
  return true
}

/** One element of the pattern may stand for any number of values. */
function isListMatch(wanted: unknown[], values: unknown[], found: Found): boolean {
  const at = wanted.findIndex((each) => restOf(each) !== undefined)
  const rest = restOf(wanted[at])
  if (rest === undefined)
    return wanted.length === values.length && wanted.every((each, i) => isMatch(each, values[i], found))
  const end = values.length - (wanted.length - at - 1)
  found.set(rest, nodesIn(values.slice(at, end)))
  return (
    at <= end &&
    isListMatch(wanted.slice(0, at), values.slice(0, at), found) &&
    isListMatch(wanted.slice(at + 1), values.slice(end), found)
  )
}

/** The name of what stands for any expression. */
function holeOf(node: unknown): string | undefined {
  const name = nameOf(node)
  return name !== undefined && /^(?:_|\$\w+)$/.test(name) ? name : undefined
}

/** The name of what stands for any number of elements. */
function restOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'SpreadElement' ? holeOf(node['argument']) : undefined
}

/** Each place where a template has the text of another one, with matching expressions in it. */
function partsOf(template: Node, wanted: Node): Match[] {
  const { text, offsets, expressions } = flatten(template)
  const part = flatten(wanted)
  const found: Match[] = []
  for (let at = text.indexOf(part.text); at >= 0; at = text.indexOf(part.text, at + 1)) {
    const names: Found = new Map()
    const before = text.slice(0, at).split(HOLE).length - 1
    const isSame = part.expressions.every((each, i) => isMatch(each, expressions[before + i], names))
    const [start = 0, end = 0] = [offsets[at], offsets[at + part.text.length]]
    if (isSame) found.push({ start, end, found: names })
  }
  return found
}

/** The text of a template with one blank for any white space, and where each of its characters is in the source. */
function flatten(template: Node) {
  const expressions = nodesIn(template['expressions'])
  const offsets: number[] = []
  let text = ''
  let end = template.start
  for (const [i, quasi] of nodesIn(template['quasis']).entries()) {
    const raw = rawOf(quasi)
    // The range of this node begins with the backtick or the brace.
    const start = quasi.start + 1
    end = start + raw.length
    for (const { index, 0: piece } of raw.matchAll(/\s+|\S/g)) {
      text += /\s/.test(piece) ? ' ' : piece
      offsets.push(start + index)
    }
    if (expressions[i] === undefined) continue
    text += HOLE
    offsets.push(end)
  }
  return { text, offsets: [...offsets, end], expressions }
}

function rawOf(quasi: Node): string {
  const { value } = quasi
  if (typeof value !== 'object' || value === null || !('raw' in value)) throw new Error('this is no part of a template')
  return String(value.raw)
}
