/** The Python client of the guide, against a server that fails in the ways in which a network and a service do. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { programsOf } from './smoke-pages.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'registrar-python-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'registrar.py'), programsOf(readFileSync('docs/guide.md', 'utf8')).get('registrar.py') ?? '')

type Respond = (response: ServerResponse, request: IncomingMessage) => void

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
const cut: Respond = (_response, request) => request.socket.destroy()
const page: Respond = (response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')

/** Gives the pauses of the client instead of waiting. `client` sends to the server, and `shown` prints JSON. */
const BEGIN = `import json, os, registrar
pauses, results = [], []
registrar.time.sleep = pauses.append
client = registrar.Registrar(os.environ["URL"], "rgs_1")
def shown(*values): print(json.dumps(values))
def failure(act):
    try: return act()
    except Exception as error: return error
`

/** Runs the program while the server gives one response after another, the last one again and again. */
async function run(responses: Respond[], program: string, env: NodeJS.Dict<string> = {}) {
  const requests: { line: string; key: string | undefined; body: string; agent: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const key = request.headers['x-idempotency-key']
    requests.push({
      line: `${request.method} ${request.url}`,
      key: typeof key === 'string' ? key : undefined,
      body: Buffer.concat(chunks).toString(),
      agent: request.headers['user-agent'],
    })
    responses[Math.min(requests.length, responses.length) - 1]?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const python = spawn('python3', ['-c', BEGIN + program], {
    cwd: folder,
    env: { ...process.env, URL: `http://127.0.0.1:${port}`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await Promise.all([
    python.stdout.toArray().then((chunks) => Buffer.concat(chunks).toString()),
    new Promise((resolve) => python.on('close', resolve)),
  ])
  server.closeAllConnections()
  server.close()
  const printed: unknown[] = JSON.parse(text)
  return { printed, requests }
}

const options = { skip: hasPython ? false : 'Python is not installed' }

const text =
  (status: number, body: string, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body)

await test('repeats a create with the same key and body until it succeeds', options, async () => {
  const unavailable = json(503, { code: 'service_unavailable' }, { 'Retry-After': '7' })
  const { printed, requests } = await run(
    [
      unavailable,
      json(429, { code: 'rate_limited' }, { 'Retry-After': '3' }),
      cut,
      page,
      text(408, ''),
      json(201, { id: '7' }),
    ],
    `shown(client.request("POST", "/v1/stores/s/users", {"name": "José"}, key="order-1"), pauses)`,
  )
  const [user, pauses] = printed
  assert.deepEqual(user, { id: '7' })
  assert.equal(requests.length, 6)
  assert.equal(new Set(requests.map((request) => JSON.stringify(request))).size, 1)
  assert.equal(requests[0]?.key, 'order-1')
  assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), { name: 'José' })
  assert.ok(Array.isArray(pauses) && pauses.length === 5)
  for (const [index, asked] of [7, 3, 0, 0, 0].entries()) {
    assert.ok(pauses[index] >= asked && pauses[index] <= asked + 0.5 * 2 ** index, `pause ${index}: ${pauses[index]}`)
  }
})

await test('repeats a POST without a key only after a 429', options, async () => {
  const { printed, requests } = await run(
    [
      cut,
      page,
      json(503, { code: 'service_unavailable' }),
      json(429, { code: 'rate_limited' }),
      json(201, { id: '7' }),
    ],
    `send = lambda: client.request("POST", "/v1/stores/s/webhook_endpoints", {})
shown([type(failure(send)).__name__ for _ in range(3)], send())`,
  )
  assert.deepEqual(printed, [['RemoteDisconnected', 'RegistrarError', 'RegistrarError'], { id: '7' }])
  assert.equal(requests.length, 5)
})

await test('raises the last error when the deadline would pass', options, async () => {
  const { printed, requests } = await run(
    [json(503, { code: 'service_unavailable' }, { 'Retry-After': '100' })],
    `error = failure(lambda: client.request("GET", "/v1/token"))
shown(error.status, error.code, pauses)`,
  )
  assert.deepEqual(printed, [503, 'service_unavailable', []])
  assert.equal(requests.length, 1)
})

await test('raises an error with what the response says, without a repetition', options, async () => {
  const details = [{ field: 'email', value: 'a@b.de', explanation: 'exists' }]
  const body = { code: 'email_taken', message: 'Taken.', details, request_id: 'r1' }
  const { printed, requests } = await run(
    [json(422, body, { 'X-Existing-Id': '7' })],
    `error = failure(lambda: client.request("POST", "/v1/stores/s/users", {}, key="k"))
shown(type(error).__name__, error.status, error.code, error.details, error.request_id, error.existing_id, str(error))`,
  )
  assert.deepEqual(printed, ['RegistrarError', 422, 'email_taken', details, 'r1', '7', '422 email_taken: Taken.'])
  assert.equal(requests.length, 1)
})

await test('reads an error without a code, and one that is no JSON', options, async () => {
  const { printed } = await run(
    [json(404, { message: 'None.' }), page],
    `errors = [failure(lambda: client.request("POST", "/v1/stores/s/webhook_endpoints", {})) for _ in range(2)]
shown(*[[error.status, error.code, error.existing_id] for error in errors])`,
  )
  assert.deepEqual(printed, [
    [404, null, null],
    [502, null, null],
  ])
})

/** What proxies send. All of it passes. */
const BY_PROXIES: [string, Respond][] = [
  ['Retry-After as a date', text(503, '', { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' })],
  ['Retry-After as a fraction', text(503, '', { 'Retry-After': '0.5' })],
  ['Retry-After that is negative', text(429, '', { 'Retry-After': '-5' })],
  ['Retry-After without end', text(503, '', { 'Retry-After': 'inf' })],
  ['Retry-After that is no number', text(503, '', { 'Retry-After': 'nan' })],
  ['a page with 200', text(200, '<h1>Maintenance</h1>', { 'Content-Type': 'text/html' })],
  ['nothing with 200', text(200, '')],
  ['a list with 200', json(200, [])],
  ['a text with 200', text(200, '"busy"')],
  ['null with 200', text(200, 'null')],
  ['a list with 502', json(502, ['bad gateway'])],
  ['a text with 503', text(503, '"busy"')],
  ['bytes that are no UTF-8', (response) => response.writeHead(502).end(Buffer.from([0xff, 0xfe, 0x7b]))],
  ['JSON without end', text(200, '['.repeat(100_000))],
  [
    'a body that is cut off',
    (response) => response.writeHead(200, { 'Content-Length': 100 }).write('{"id":', () => response.destroy()),
  ],
  ['no HTTP', (_response, request) => request.socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
]

await test('repeats what a proxy answers, and then raises an error with the status', options, async () => {
  const answers = BY_PROXIES.map(([, respond]) => respond)
  const ok = json(200, { id: '7' })
  const { printed } = await run(
    [...answers.flatMap((respond) => [respond, ok]), ...answers],
    `for _ in range(${answers.length}): results.append(client.request("GET", "/v1/token"))
client.deadline = 0
for _ in range(${answers.length}):
    error = failure(lambda: client.request("GET", "/v1/token"))
    results.append(error.status if isinstance(error, registrar.RegistrarError) else isinstance(error, (OSError, registrar.HTTPException)))
shown(results, pauses)`,
  )
  const [results, pauses] = printed
  const statuses = [503, 503, 429, 503, 503, 200, 200, 200, 200, 200, 502, 503, 502, 200, true, true]
  assert.deepEqual(results, [...answers.map(() => ({ id: '7' })), ...statuses])
  assert.ok(Array.isArray(pauses) && pauses.length === answers.length)
  for (const [i, pause] of pauses.entries()) {
    const asked = BY_PROXIES[i]?.[0] === 'Retry-After as a fraction' ? 0.5 : 0
    assert.ok(pause >= asked && pause <= asked + 0.5, `${BY_PROXIES[i]?.[0]}: ${pause}`)
  }
})

await test(
  'repeats neither a change with If-Match, nor a POST without a key, after what a proxy answers',
  options,
  async () => {
    const { printed, requests } = await run(
      [text(200, '<h1>Maintenance</h1>')],
      `changes = [lambda: client.request("PATCH", "/v1/stores/s/users/7", {}, if_match='"7-1"'),
    lambda: client.request("POST", "/v1/stores/s/webhook_endpoints", {})]
shown(*[failure(change).status for change in changes])`,
    )
    assert.deepEqual(printed, [200, 200])
    assert.equal(requests.length, 2)
  },
)

await test('sends no change with an empty If-Match, which would be dropped on its way', options, async () => {
  const { printed, requests } = await run(
    [json(200, {})],
    `shown(str(failure(lambda: client.request("PATCH", "/v1/stores/s/users/7", {}, if_match=""))).split(":")[0])`,
  )
  assert.deepEqual(printed, ['If-Match is empty'])
  assert.equal(requests.length, 0)
})

await test('names itself, and says the number of Cloudflare if that rejects it', options, async () => {
  const { printed, requests } = await run(
    [text(403, 'error code: 1010', { 'CF-Ray': '8f-LIS' })],
    `error = failure(lambda: client.request("GET", "/v1/token"))
shown(error.status, error.code, error.ray, error.request_id, str(error))`,
  )
  const message = '403 None: this response is not one of the service (CF-Ray: 8f-LIS)'
  assert.deepEqual(printed, [403, null, '8f-LIS', null, message])
  assert.deepEqual(
    requests.map(({ agent }) => agent),
    ['registrar.py'],
  )
})

await test('follows no redirect, which could carry the token to another host', options, async () => {
  const { printed, requests } = await run(
    [301, 302, 303, 307, 308].map((status) => text(status, '', { Location: '/elsewhere' })),
    `for method in ["GET", "POST"]: results.append(failure(lambda: client.request(method, "/v1/token", key="k")).status)
shown(*results)`,
  )
  assert.deepEqual(printed, [301, 302])
  assert.deepEqual(
    requests.map(({ line }) => line),
    ['GET /v1/token?', 'POST /v1/token?'],
  )
})

await test('returns None for a response without a body', options, async () => {
  const noContent: Respond = (response) => response.writeHead(204).end()
  assert.deepEqual((await run([noContent], `shown(client.request("DELETE", "/v1/stores/s/users/7"))`)).printed, [null])
})

await test('reads all pages, with the filters in each request', options, async () => {
  const { printed, requests } = await run(
    [json(200, { data: [1, 2], next: '2' }), json(200, { data: [], next: '9' }), json(200, { data: [3], next: null })],
    `shown(list(client.list("/v1/stores/s/users", {"q": "josé garcia"})))`,
  )
  assert.deepEqual(printed, [[1, 2, 3]])
  const query = '/v1/stores/s/users?q=jos%C3%A9+garcia'
  assert.deepEqual(
    requests.map(({ line }) => line),
    [`GET ${query}`, `GET ${query}&after=2`, `GET ${query}&after=9`],
  )
})

const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
const BODY = '{"type":"user.created","data":{"user_id":"7"}}'

interface Signed {
  id: string
  sent: Date
  signatures: string
  body: string
}

/** What the sample returns for a body that the library of the standard has signed, after each of the changes. */
async function verify(changes: ((signed: Signed) => Signed)[]): Promise<unknown[]> {
  const now = new Date()
  const signed = { id: 'demo_7', sent: now, signatures: new Webhook(SECRET).sign('demo_7', now, BODY), body: BODY }
  const webhooks = changes.map((change) => {
    const { id, sent, signatures, body } = change(signed)
    const time = String(Math.floor(sent.getTime() / 1000))
    return { body, headers: { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } }
  })
  const { printed } = await run(
    [],
    `for webhook in json.loads(os.environ["WEBHOOKS"]):
    results.append(failure(lambda: registrar.verify_webhook(os.environ["SECRET"], webhook["headers"], webhook["body"].encode())))
shown(*[type(result).__name__ if isinstance(result, Exception) else result for result in results])`,
    { SECRET, WEBHOOKS: JSON.stringify(webhooks) },
  )
  return printed
}

await test('verifies a webhook', options, async () => {
  const event = { type: 'user.created', data: { user_id: '7' } }
  // There are two signatures while a secret is being replaced.
  const twice = (signed: Signed) => ({ ...signed, signatures: `v1,AAAA ${signed.signatures}` })
  assert.deepEqual(await verify([(signed) => signed, twice]), [event, event])
})

await test('rejects a webhook that was changed, is old, or has no valid signature', options, async () => {
  const old = new Date(Date.now() - 301_000)
  const results = await verify([
    (signed) => ({ ...signed, body: `${signed.body} ` }),
    (signed) => ({ ...signed, id: 'demo_8' }),
    (signed) => ({ ...signed, sent: old, signatures: new Webhook(SECRET).sign(signed.id, old, signed.body) }),
    (signed) => ({ ...signed, signatures: 'v1,AAAA' }),
    (signed) => ({ ...signed, signatures: '' }),
  ])
  assert.deepEqual(results, Array<string>(5).fill('ValueError'))
})

await test(
  'no program has the name of a module of Python, which others in the folder would import instead',
  options,
  () => {
    const names = [...programsOf(readFileSync('docs/guide.md', 'utf8')).keys()].filter((name) => name.endsWith('.py'))
    const modules = names.map((name) => name.replace('.py', ''))
    const code = `import sys; print([name for name in sys.argv[1:] if name in getattr(sys, 'stdlib_module_names', [])])`
    const { stdout } = spawnSync('python3', ['-c', code, ...modules], { encoding: 'utf8' })
    assert.equal(stdout.trim(), '[]')
    assert.ok(modules.includes('registrar'))
  },
)
