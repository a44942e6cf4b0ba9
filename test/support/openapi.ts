/** Holds every answer of the tests against the OpenAPI document: its status, its headers, its body. */
import { Validator } from '@cfworker/json-schema'
import document from '../../src/assets/openapi.json'
import type { Answer } from './api.ts'

/** Off while the document is rebuilt by resource. */
const IS_CURRENT: boolean = false

/** Served, but no operations of the API; a 405 and the 404 of an unknown path belong to no operation. */
const UNDOCUMENTED_PATHS = /^\/(docs(\/.*)?|openapi\.json)?$/

/** The validator takes the `id` of an example for that of a schema. */
const { schemas }: any = JSON.parse(JSON.stringify(document.components), (key, value) =>
  key === 'example' ? undefined : value,
)

const paths = Object.entries<Record<string, any>>(document.paths).map(([template, operations]) => ({
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  operations,
}))

const validators = new WeakMap<object, Validator>()

/** Throws when the document does not foresee this answer. */
export function assertDocumented(method: string, path: string, answer: Answer): void {
  if (!IS_CURRENT) return
  const pathname = path.split('?', 1)[0] ?? ''
  if (UNDOCUMENTED_PATHS.test(pathname)) return
  const operations = paths.find(({ pattern }) => pattern.test(pathname))?.operations
  const operation = operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (operation === undefined) {
    if (![404, 405].includes(answer.status))
      throw new Error(`undocumented: ${method} ${path} answered ${answer.status}`)
    return
  }

  const where = `${method} ${path} ${answer.status}`
  const response = operation.responses[answer.status]
  if (response === undefined) throw new Error(`undocumented status: ${where}`)
  for (const name of ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']) {
    if (!answer.headers.has(name)) throw new Error(`${where} lacks the header ${name}`)
  }
  const known = new Set(
    [...Object.keys(response.headers), 'Content-Type', 'Content-Length'].map((n) => n.toLowerCase()),
  )
  for (const [name] of answer.headers) if (!known.has(name)) throw new Error(`undocumented header ${name}: ${where}`)

  const content = response.content?.['application/json']
  if (method === 'HEAD') return
  if (content === undefined) {
    if (answer.text !== '') throw new Error(`undocumented body: ${where}`)
    return
  }
  const { valid, errors } = validatorOf(content.schema).validate(answer.json)
  if (!valid) throw new Error(`${where} does not match the document: ${JSON.stringify(errors)}\n${answer.text}`)
}

function validatorOf(schema: object): Validator {
  let validator = validators.get(schema)
  if (!validator) {
    // References of a response's schema point into the whole document.
    validator = new Validator({ ...schema, components: { schemas } }, '2020-12')
    validators.set(schema, validator)
  }
  return validator
}
