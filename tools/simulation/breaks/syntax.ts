/** Syntax trees of TypeScript. */
import { parseSync } from 'rolldown/utils'

export interface Node {
  type: string
  /** Where its text begins and ends in the source. */
  start: number
  end: number
  [field: string]: unknown
}

export interface Place {
  node: Node
  parent: Node
}

/** What depends on the formatting only, and what types add. */
const IGNORED = new Set(['start', 'end', 'raw', 'shorthand', 'typeAnnotation', 'typeArguments'])

/** Throws if the source is no TypeScript. */
export function parse(source: string): Node {
  const { program, errors } = parseSync('source.ts', source, { preserveParens: false })
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join('; '))
  return requireNode(program)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

export function requireNode(value: unknown): Node {
  if (!isNode(value)) throw new Error('this is no node of a syntax tree')
  return value
}

/** All nodes of a list, such as the arguments of a call. */
export function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** What must be equal in two nodes that mean the same. */
export function fieldsOf(node: Node): [string, unknown][] {
  return Object.entries(node).filter(([name]) => !IGNORED.has(name))
}

/** Each node below this one. */
export function* nodesOf(parent: Node): Generator<Place> {
  for (const value of Object.values(parent)) {
    for (const node of isNode(value) ? [value] : nodesIn(value)) {
      yield { node, parent }
      yield* nodesOf(node)
    }
  }
}

export function nameOf(node: unknown): string | undefined {
  return isNode(node) && typeof node['name'] === 'string' ? node['name'] : undefined
}
