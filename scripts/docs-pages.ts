/**
 * The pages of docs/ that the service serves under /docs, as HTML and as Markdown. What is between `<!-- local -->` and
 * `<!-- deployed` is for a local service only, and what is inside of the second comment for a deployed one only. The address
 * of a deployed service is not known here, so the Worker writes it (src/http/docs-page.ts).
 */
import { Marked } from 'marked'

export type Service = 'local' | 'deployed'

/** By file name, in the order of the menu. */
const PAGES = {
  guide: 'Guide',
  integrators: 'For integrators',
  events: 'Events and webhooks',
  errors: 'Errors',
  changes: 'What may change',
  changelog: 'Changelog',
} as const

type Name = keyof typeof PAGES

export const PAGE_NAMES: Name[] = ['guide', 'integrators', 'events', 'errors', 'changes', 'changelog']

/** What each page is about, for programs that read https://llmstxt.org. */
const ABOUT: Record<Name, string> = {
  guide: 'from a paid order to a refund, in curl, TypeScript and Python; receiving webhooks',
  integrators: 'users, accesses, batches, and what happens when a request is repeated',
  events: 'the feed of changes, and webhooks',
  errors: 'every error code and when it is returned',
  changes: 'what may change without notice, and how a breaking change is announced',
  changelog: 'what each release has changed',
}

/** The path of the page in the repository. */
export function sourceOf(name: Name): string {
  return name === 'changelog' ? 'CHANGELOG.md' : `docs/${name}.md`
}

/** `/llms.txt`: the pages as Markdown. The Worker replaces the address. */
export function llmsText(): string {
  const pages = PAGE_NAMES.map((name) => `- [${PAGES[name]}](${LOCAL}/docs/${name}.md): ${ABOUT[name]}`)
  return `# Registrar

> An HTTP API that registers the users of a learning platform, and opens and closes their access to products.

## Pages

${pages.join('\n')}

## Reference

- [OpenAPI document](${LOCAL}/openapi.json?for=integrators): every operation of a store's token, with schemas and examples
- [OpenAPI document with /admin](${LOCAL}/openapi.json): the operators' operations, too
`
}

const LOCAL = 'http://localhost:8787'

const VARIANTS = /<!-- local -->\n([^]*?)<!-- deployed\n([^]*?)-->\n/g

/** The page as this service serves it. Links to pages that it does not serve become plain text. */
export function pageFor(service: Service, page: string): string {
  return page
    .replaceAll(
      VARIANTS,
      (_all, local: string, deployed: string) => `${(service === 'local' ? local : deployed).trim()}\n`,
    )
    .replaceAll(/<!-- (?:generated from .*|end) -->\n\n/g, '')
    .replaceAll(/\[([^\]]+)\]\(([\w./-]+\.md)(?:#[\w-]*)?\)/g, (link, text: string, target: string) =>
      isServed(target) ? link : text,
    )
}

/** The page without what only a deployed service shows. Each line keeps its number, and each character its place. */
export function withoutDeployed(page: string): string {
  return page.replaceAll(/<!-- deployed\n[^]*?-->\n/g, (part) => part.replaceAll(/[^\n]/g, ' '))
}

/** With links that work on every page of the origin. */
export function withPaths(page: string): string {
  return page.replaceAll(/\]\((\w+)\.md(#[\w-]*)?\)/g, (_all, name: string, anchor = '') => `](/docs/${name}${anchor})`)
}

function isServed(target: string): boolean {
  return PAGE_NAMES.some((name) => target === `${name}.md`)
}

/** The anchors that GitHub gives to headings. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/<[^>]+>|&\w+;|[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens)
      return `<h${depth} id="${anchorOf(text)}">${text}</h${depth}>\n`
    },
  },
})

export function toHtml(name: Name, page: string): string {
  const links = Object.entries(PAGES).map(
    ([other, title]) => `<a href="/docs/${other}"${other === name ? ' aria-current="page"' : ''}>${title}</a>`,
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${PAGES[name]} · Registrar API</title>
    <link rel="icon" type="image/svg+xml" href="/docs/favicon.svg" />
    <link rel="stylesheet" href="/docs/pages.css" />
    <link rel="alternate" type="text/markdown" href="/docs/${name}.md" />
  </head>
  <body>
    <nav aria-label="Documentation">
      <a href="/docs">Reference</a>
      ${links.join('\n      ')}
      <a href="/docs/${name}.md">This page as Markdown</a>
      <a href="/openapi.json">OpenAPI document</a>
    </nav>
    <main>
${marked.parse(withPaths(page), { async: false })}    </main>
  </body>
</html>
`
}
