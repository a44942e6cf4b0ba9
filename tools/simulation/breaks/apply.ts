/** Makes the mistake that a break describes in the source of its file. */
import type { Break } from './break.ts'
import { findMatches, type Match } from './pattern.ts'
import { nameOf, type Node, nodesIn, nodesOf, parse } from './syntax.ts'

const DECLARATION = /^(?:FunctionDeclaration|VariableDeclarator|ClassDeclaration)$/
const MEMBER = /^(?:MethodDefinition|Property)$/

/** These bind less than what may stand around them. */
const LOOSE = /^(?:Binary|Logical|Conditional|Assignment|ArrowFunction|Await|Unary|TSAs|TSSatisfies)Expression$/

/** Throws unless the break has exactly one place in the source. */
export function applyBreak(source: string, { file, change }: Omit<Break, 'name'>): string {
  const program = parse(source)
  const scope = change.in === undefined ? program : declarationOf(change.in, program)
  const pattern = 'drop' in change ? change.drop : change.replace
  const [match, ...others] = findMatches(pattern, scope)
  if (match === undefined || others.length > 0)
    throw new Error(`${file} has ${others.length + (match ? 1 : 0)} times, not once: ${pattern}`)
  const { start, end } = 'drop' in change ? rangeToDrop(match, source) : rangeToReplace(match)
  const by = 'drop' in change ? '' : fill(change.by, match, source)
  return source.slice(0, start) + by + source.slice(end)
}

/** Throws unless one declaration has the name. */
function declarationOf(name: string, program: Node): Node {
  const named = [...nodesOf(program)].flatMap(({ node, parent }) => {
    const id = DECLARATION.test(node.type) ? node['id'] : MEMBER.test(node.type) && node['key']
    return nameOf(id) === name && parent.type !== 'ObjectPattern' ? [node] : []
  })
  const [declaration] = named
  if (declaration === undefined || named.length > 1) throw new Error(`${name} is declared ${named.length} times`)
  return declaration
}

/** With its semicolon if it is a statement, because another statement may take its place. */
function rangeToReplace(match: Match) {
  return match.whole?.parent.type === 'ExpressionStatement' ? match.whole.parent : match
}

/** A part of a text, a whole statement, or an element with the comma that separates it from the others. */
function rangeToDrop({ start, end, whole }: Match, source: string) {
  if (whole === undefined) return { start, end }
  const { node, parent } = whole
  if (parent.type === 'ExpressionStatement') return parent
  const list = Object.values(parent)
    .map(nodesIn)
    .find((nodes) => nodes.includes(node))
  if (list === undefined) throw new Error(`nothing can be dropped from a ${parent.type}: ${source.slice(start, end)}`)
  const at = list.indexOf(node)
  const next = list[at + 1]
  if (next) return { start, end: next.start }
  const previous = list[at - 1]
  if (previous) return { start: previous.end, end }
  return { start, end: end + (/^\s*,/.exec(source.slice(end))?.[0].length ?? 0) }
}

/** The new text, with what was found for each name. */
function fill(by: string, { found, whole }: Match, source: string): string {
  const text = whole === undefined ? by.replaceAll(/^`|`$/g, '') : by
  return text.replaceAll(/(\.\.\.)?(\$\w+)/g, (_, dots: string | undefined, name: string) => {
    const nodes = found.get(name)
    if (nodes === undefined) throw new Error(`the pattern has no ${name}`)
    if (Array.isArray(nodes)) return source.slice(nodes[0]?.start ?? 0, nodes.at(-1)?.end ?? 0)
    // The text of a name that is declared has its type.
    const piece = nameOf(nodes) ?? source.slice(nodes.start, nodes.end)
    return (dots ?? '') + (LOOSE.test(nodes.type) ? `(${piece})` : piece)
  })
}
