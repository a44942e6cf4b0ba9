/** The names that only one file knows: what is declared in it and not exported. */
import { isNode, nameOf, type Node, nodesIn, nodesOf, parse } from './syntax.ts'

const FUNCTIONS = /^(?:Function|ArrowFunction)(?:Declaration|Expression)$/

export function localNamesOf(source: string): Set<string> {
  const nodes = [...nodesOf(parse(source))]
  const known = nodes.flatMap(({ node, parent }) => {
    if (/^Import.*Specifier$/.test(node.type)) return namesIn(node['local'])
    // The parameters of an exported function are local.
    return parent.type.startsWith('Export') ? declaredBy({ ...node, params: [] }) : []
  })
  const names = new Set(nodes.flatMap(({ node }) => declaredBy(node)))
  for (const name of known) names.delete(name)
  return names
}

/** Renames each of these names, whatever it is declared as. Properties keep their names. */
export function rename(source: string, names: ReadonlySet<string>, toName: (name: string) => string): string {
  const shorthands = new Set<number>()
  const edits = new Map<number, { end: number; text: string }>()
  for (const { node, parent } of nodesOf(parse(source))) {
    const name = node.type === 'Identifier' ? nameOf(node) : undefined
    if (name === undefined || !names.has(name)) continue
    if (parent['shorthand'] === true && parent['key'] === node) shorthands.add(node.start)
    else if (!isNameOfProperty(node, parent))
      edits.set(node.start, { end: node.start + name.length, text: toName(name) })
  }
  let renamed = ''
  let at = 0
  for (const [start, { end, text }] of [...edits].toSorted(([a], [b]) => a - b)) {
    const key = shorthands.has(start) ? `${source.slice(start, end)}: ` : ''
    renamed += source.slice(at, start) + key + text
    at = end
  }
  return renamed + source.slice(at)
}

export function isNameOfProperty(node: Node, parent: Node): boolean {
  return parent['computed'] !== true && (parent['key'] === node || parent['property'] === node)
}

function declaredBy(node: Node): string[] {
  if (node.type === 'VariableDeclaration') return nodesIn(node['declarations']).flatMap(({ id }) => namesIn(id))
  if (node.type === 'ClassDeclaration') return namesIn(node['id'])
  return FUNCTIONS.test(node.type) ? [...namesIn(node['id']), ...nodesIn(node['params']).flatMap(namesIn)] : []
}

/** The names that a pattern declares, such as `{ a, b: [c = 1, ...d] }`. */
function namesIn(pattern: unknown): string[] {
  if (!isNode(pattern)) return []
  const name = nameOf(pattern)
  if (name !== undefined) return [name]
  const inside = [...nodesIn(pattern['properties']), ...nodesIn(pattern['elements'])]
  const target = pattern['left'] ?? pattern['argument'] ?? (pattern.type === 'Property' ? pattern['value'] : undefined)
  return [...inside.flatMap(namesIn), ...namesIn(target)]
}
