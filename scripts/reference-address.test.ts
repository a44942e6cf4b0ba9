import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

// It is a script of the page and has no types.
const { fitToService } = await import(String(new URL('../src/assets/docs/address.js', import.meta.url)))
const guide = readFileSync('docs/guide.md', 'utf8')

it('names the address of a deployed service in the guide, and nothing that only a local one has', () => {
  const fitted = fitToService(guide, { origin: 'https://registrar.example.com', isLocal: false })
  assert.doesNotMatch(fitted, /localhost|\.dev\.vars|npm run dev/)
  assert.match(fitted, /^API=https:\/\/registrar\.example\.com$/m)
})

it('leaves the guide of a local service as it is, except for its port', () => {
  const fitted = fitToService(guide, { origin: 'http://localhost:9000', isLocal: true })
  assert.equal(fitted, guide.replaceAll('http://localhost:8787', 'http://localhost:9000'))
})

it('finds the same sentences in the OpenAPI document, which holds the guide as JSON', () => {
  const text = readFileSync('src/assets/openapi.json', 'utf8')
  const fitted = fitToService(text, { origin: 'https://registrar.example.com', isLocal: false })
  assert.doesNotMatch(JSON.parse(fitted).info.description, /localhost|\.dev\.vars|npm run dev/)
})

it('has no sample of v3 that creates a user of the guide again', () => {
  const { components } = JSON.parse(readFileSync('src/assets/openapi.json', 'utf8'))
  const { email } = components.requestBodies.CreatePublicUser.content['application/json'].example
  assert.match(email, /@/)
  assert.ok(!guide.includes(email))
})
