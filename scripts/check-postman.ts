/**
 * `npm run check:postman`: converts the OpenAPI document into a Postman collection, and newman sends it to the running
 * service: `/v1` and `/v3` with the demo store's token, `/admin` with the operator's. It fails if a response is a 5xx or
 * is not in the document, or if an example of a create does not succeed. npm downloads the two tools.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'

const CONVERTER = ['--package=openapi-to-postmanv2@6.3.3', 'openapi2postmanv2']
const NEWMAN = ['--package=newman@6.2.2', 'newman']
const OPTIONS =
  'folderStrategy=Tags,requestParametersResolution=Example,exampleParametersResolution=Example,parametersResolution=Example'
const DOCUMENT = 'src/assets/openapi.json'

/** The examples of these operations must succeed unchanged. */
const CREATES =
  /^(createPublicUser|createUser|createAccessToken|createStore|createProduct|createWebhookEndpoint|createOperator)$/

const request = z.looseObject({
  name: z.string(),
  request: z.looseObject({
    method: z.string(),
    url: z.looseObject({ path: z.array(z.string()) }),
    header: z.array(z.looseObject({ key: z.string() })).default([]),
  }),
})
type PostmanRequest = z.infer<typeof request>

const collection = z.looseObject({ item: z.array(z.looseObject({ item: z.array(z.unknown()).optional() })) })
const operation = z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) })
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
const report = z.object({
  run: z.object({
    executions: z.array(
      z.object({ item: z.object({ name: z.string() }), response: z.object({ code: z.number() }).optional() }),
    ),
  }),
})

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** The method and the path as in the document: Postman writes `:id` for `{id}`. */
function routeOf({ request: { method, url } }: PostmanRequest): string {
  return `${method} /${url.path.map((part) => part.replace(/^:(.+)/, '{$1}')).join('/')}`
}

/** Deletes and revocations come last, or later requests would not find their records. */
function rankOf(route: string): number {
  const isLast = /^DELETE |\/revoke_all$/.test(route)
  return (isLast ? 2 : 0) + (route.includes(' /admin') ? 1 : 0)
}

/** Adds the token, and removes optional parts that would not match: filters, and the ETag of another record. */
function prepared(route: string, { request: { url, header, ...rest }, ...item }: PostmanRequest) {
  const value = route.includes(' /admin') ? '{{operatorToken}}' : '{{accessToken}}'
  const auth = { type: 'bearer', bearer: [{ key: 'token', value }] }
  const headers = header.filter(({ key }) => key !== 'If-Match')
  return { ...item, name: route, request: { ...rest, url: { ...url, query: [] }, header: headers, auth } }
}

function run(tool: string[], args: string[]): void {
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', ...tool, ...args], { encoding: 'utf8' })
  assert.equal(status, 0, `${tool.at(-1)}:\n${stdout}${stderr}`)
}

function writeCollection(path: string): void {
  run(CONVERTER, ['-s', DOCUMENT, '-o', path, '-O', OPTIONS])
  const { item: folders, ...rest } = collection.parse(readJson(path))
  const requests = folders.flatMap(({ item = [] }) => z.array(request).parse(item))
  const items = requests
    .map((item) => ({ route: routeOf(item), item }))
    .toSorted((one, other) => rankOf(one.route) - rankOf(other.route))
    .map(({ route, item }) => prepared(route, item))
  writeFileSync(path, JSON.stringify({ ...rest, variable: [], item: items }))
}

function checkResponses(path: string): void {
  const { paths } = document.parse(readJson(DOCUMENT))
  const operations = new Map(
    Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, described]) => [`${method.toUpperCase()} ${route}`, described]),
    ),
  )
  const wrong: string[] = []
  const count = { succeeded: 0, rejected: 0 }
  const { executions } = report.parse(readJson(path)).run
  for (const { item, response } of executions) {
    const described = operations.get(item.name)
    const code = response?.code ?? 0
    const isSuccess = code >= 200 && code < 300
    count[isSuccess ? 'succeeded' : 'rejected']++
    if (described === undefined || code >= 500 || !(code in described.responses)) wrong.push(`${item.name}: ${code}`)
    else if (CREATES.test(described.operationId) && code !== 201) wrong.push(`${item.name}: ${code} instead of 201`)
    if (!isSuccess) console.log(`${code} ${item.name}`)
  }
  assert.equal(executions.length, operations.size, 'each operation is sent once')
  assert.deepEqual(wrong, [])
  console.log(
    `check:postman passed: ${executions.length} requests, ${count.succeeded} succeeded, ${count.rejected} were rejected.`,
  )
}

const directory = mkdtempSync(join(tmpdir(), 'registrar-postman-'))
const project = copyProject()
const service = await startService(8799, project)
try {
  const operatorToken = /^ADMIN_TOKEN=(.+)$/m.exec(readFileSync(join(project, '.dev.vars'), 'utf8'))?.[1] ?? ''
  const [file, responses] = [join(directory, 'collection.json'), join(directory, 'report.json')]
  writeCollection(file)
  const variables = { baseUrl: service.origin, accessToken: service.token, operatorToken }
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
  run(NEWMAN, ['run', file, '--reporters', 'json', '--reporter-json-export', responses, ...given])
  checkResponses(responses)
} finally {
  await service.stop()
  rmSync(project, { recursive: true, force: true })
  rmSync(directory, { recursive: true, force: true })
}
