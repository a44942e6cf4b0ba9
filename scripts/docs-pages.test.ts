import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { PAGE_NAMES, pageFor, type Service, sourceOf, toHtml, withoutDeployed } from './docs-pages.ts'
import { fitDocument } from './served-document.ts'

const SERVICES: Service[] = ['local', 'deployed']
const read = (name: (typeof PAGE_NAMES)[number]) => readFileSync(sourceOf(name), 'utf8')

/** What only a local service has, or only an operator may use. */
const LOCAL_ONLY = /npm run dev|\.wrangler|\.dev\.vars|ADMIN_TOKEN=|\$ADMIN_TOKEN|"url":"http:/

it('shows on a deployed service nothing that only a local one has', () => {
  // The changelog is the same everywhere.
  for (const name of PAGE_NAMES.filter((each) => each !== 'changelog')) {
    // The rule about the URLs of endpoints names the local service as an exception.
    const lines = pageFor('deployed', read(name))
      .split('\n')
      .filter((line) => !line.startsWith('9. URLs must be https'))
    assert.doesNotMatch(lines.join('\n'), LOCAL_ONLY, name)
  }
  assert.match(pageFor('local', read('guide')), LOCAL_ONLY)
})

it('begins on a deployed service with a store for tests', () => {
  const [beforeFirstHeading = ''] = pageFor('deployed', read('guide')).split('\n## ')
  assert.match(beforeFirstHeading, /a store for tests/)
  assert.doesNotMatch(pageFor('local', read('guide')), /a store for tests/)
})

it('leaves no comment on any page', () => {
  for (const service of SERVICES) {
    for (const name of PAGE_NAMES) assert.doesNotMatch(pageFor(service, read(name)), /<!--|-->/, `${name}, ${service}`)
  }
})

it('has only links that lead to a heading of a page that is served', () => {
  for (const service of SERVICES) {
    const pages = new Map(PAGE_NAMES.map((name) => [`/docs/${name}`, toHtml(name, pageFor(service, read(name)))]))
    for (const [path, html] of pages) {
      const links = [...(html.split('<main>')[1]?.matchAll(/href="([^"]*)"/g) ?? [])].map(([, link = '']) => link)
      for (const link of links.filter((each) => !each.startsWith('http'))) {
        const [target = '', anchor] = link.split('#')
        const page = pages.get(target === '' ? path : target)
        assert.ok(page !== undefined, `${path} has a link to ${link}`)
        assert.ok(anchor === undefined || page.includes(` id="${anchor}"`), `${path} has a link to ${link}`)
      }
    }
  }
})

it('makes the guide the description of the OpenAPI document, with links to the pages', () => {
  const text = readFileSync('src/assets/openapi.json', 'utf8')
  for (const service of SERVICES) {
    const { description } = JSON.parse(fitDocument(service, text)).info
    assert.equal(LOCAL_ONLY.test(description), service === 'local')
    assert.match(description, /\]\(\/docs\/events#?/)
    assert.doesNotMatch(description, /\.md[)#]/)
  }
})

it('has no sample of v3 that creates a user of the guide again', () => {
  const { components } = JSON.parse(readFileSync('src/assets/openapi.json', 'utf8'))
  const { email } = components.requestBodies.CreatePublicUser.content['application/json'].example
  assert.match(email, /@/)
  assert.ok(!read('guide').includes(email))
})

it('hides what only a deployed service shows, and moves no character', () => {
  const page = 'a\n\n<!-- local -->\n\nb\n\n<!-- deployed\n\nhidden\n\n-->\n\nd\n'
  const hidden = withoutDeployed(page)
  assert.equal(hidden.length, page.length)
  assert.equal(hidden.indexOf('d'), page.lastIndexOf('d\n'))
  assert.doesNotMatch(hidden, /hidden/)
})
