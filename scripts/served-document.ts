/** The OpenAPI document as the service serves it. */
import { pageFor, type Service, withPaths } from './docs-pages.ts'

interface Operation {
  tags?: string[]
  description?: string
  'x-badges'?: unknown
}

interface Document {
  info: { description: string }
  tags: { name: string }[]
  'x-tagGroups': { tags: string[] }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

/** Its description is the guide. */
export function fitDocument(service: Service, text: string): string {
  const document: Document = JSON.parse(text)
  document.info.description = withPaths(pageFor(service, document.info.description))
  return JSON.stringify(document)
}

/** Without what only operators use: a quarter smaller, for programs that make a tool of each operation. */
export function forIntegrators(text: string): string {
  const document: Document = JSON.parse(text)
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !path.startsWith('/admin')))
  for (const operation of Object.values(document.paths).flatMap(Object.values)) leaveOutOperators(operation)
  const operations = [document.paths, document.webhooks].flatMap(Object.values).flatMap(Object.values)
  const used = new Set(operations.flatMap(({ tags = [] }) => tags))
  document.tags = document.tags.filter(({ name }) => used.has(name))
  document['x-tagGroups'] = document['x-tagGroups']
    .map((group) => ({ ...group, tags: group.tags.filter((name) => used.has(name)) }))
    .filter(({ tags }) => tags.length > 0)
  return JSON.stringify({ ...document, components: usedComponents(document) })
}

/** Removes what the document says of the same operation for operators: the paragraph with its path and role, and the badge. */
function leaveOutOperators(operation: Operation): void {
  delete operation['x-badges']
  const paragraphs = operation.description?.split('\n\n')
  if (paragraphs === undefined) return
  operation.description = paragraphs.filter((each) => !each.startsWith('Also for operators: ')).join('\n\n')
}

/** The components that paths and webhooks name, and those that these name in turn. */
function usedComponents({ paths, webhooks, components }: Document): Document['components'] {
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      follow(components[kind]?.[name])
    }
  }
  follow([paths, webhooks])
  const { securitySchemes: { accessToken } = {}, ...named } = components
  const kept = Object.entries(named).map(([kind, all]) => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
  ])
  return { ...Object.fromEntries(kept), securitySchemes: { accessToken } }
}
