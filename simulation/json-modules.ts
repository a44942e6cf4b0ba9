/** Lets Node import JSON as the bundler does: each key is a named export. */
import { readFileSync } from 'node:fs'
import { type LoadFnOutput, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

registerHooks({
  load: (url, context, nextLoad) => (url.endsWith('.json') ? loadJson(url) : nextLoad(url, context)),
})

function loadJson(url: string): LoadFnOutput {
  const values: object = JSON.parse(readFileSync(fileURLToPath(url), 'utf8'))
  const names = Object.entries(values).filter(([name]) => /^[a-z]\w*$/i.test(name) && name !== 'private')
  const lines = names.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
  return { format: 'module', source: lines.join('\n'), shortCircuit: true }
}
