/** Lets Node import what the bundler does: JSON, of which each key is a named export, SQL as text, WebAssembly, and the base class of objects. */
import { readFileSync } from 'node:fs'
import { type LoadFnOutput, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

registerHooks({
  resolve: (name, context, nextResolve) =>
    name === 'cloudflare:workers' ? { url: name, format: 'module', shortCircuit: true } : nextResolve(name, context),
  load(url, context, nextLoad) {
    // What packages require is JSON for Node.
    if (url.endsWith('.json') && !url.includes('/node_modules/')) return loadJson(url)
    if (url.endsWith('.sql')) return loadText(url)
    if (url.endsWith('.wasm')) return loadWasm(url)
    return url === 'cloudflare:workers' ? moduleOf(DURABLE_OBJECT) : nextLoad(url, context)
  },
})

function loadJson(url: string): LoadFnOutput {
  const values: object = JSON.parse(readFileSync(fileURLToPath(url), 'utf8'))
  const names = Object.entries(values).filter(([name]) => /^[a-z]\w*$/i.test(name) && name !== 'private')
  const lines = names.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
  return moduleOf(lines.join('\n'))
}

function loadText(url: string): LoadFnOutput {
  return moduleOf(`export default ${JSON.stringify(readFileSync(fileURLToPath(url), 'utf8'))}`)
}

function loadWasm(url: string): LoadFnOutput {
  const file = JSON.stringify(fileURLToPath(url))
  return moduleOf(
    `import { readFileSync } from 'node:fs'\nexport default new WebAssembly.Module(readFileSync(${file}))`,
  )
}

const DURABLE_OBJECT = `export class DurableObject {
  constructor(ctx, env) {
    this.ctx = ctx
    this.env = env
  }
}`

function moduleOf(source: string): LoadFnOutput {
  return { format: 'module', source, shortCircuit: true }
}
