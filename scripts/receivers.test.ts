/** The receivers of the guide, as the page has them, under requests that anybody can send. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { freePort } from './free-port.ts'
import { HAS_PYTHON, type Program, saveGuidePrograms, startProgram } from './guide-programs.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
const BODY = '{"id":"7","type":"user.created","data":{"user_id":"7"}}'
/** Each sends 19 bad requests. At night there are ten thousand for each program: 530 rounds. */
const ROUNDS = Number(process.env['RECEIVER_ROUNDS'] ?? 40)
const STALLED = 50

const port = await freePort()
const onPort = (text: string) => text.replaceAll(/\b9000\b/g, String(port))
const folder = saveGuidePrograms(onPort)
/** The programs wait 10 seconds for a client that stalls, and here one: on a busy machine, any client may stall for so long. */
const impatient = saveGuidePrograms((text) =>
  onPort(text).replace('requestTimeout: 10_000', 'requestTimeout: 1000').replace('timeout = 10 ', 'timeout = 1 '),
)

/** A request as text. */
function post(headers: Record<string, string>, body = ''): string {
  const lines = Object.entries({ Host: 'shop', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `POST / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

function signed(id: string, body = BODY, at = new Date()): string {
  return post(
    {
      'Content-Length': String(Buffer.byteLength(body)),
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(id, at, body),
    },
    body,
  )
}

const FORGED = { 'webhook-id': 'demo_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
const length = (value: string): Record<string, string> => ({ ...FORGED, 'Content-Length': value })

/** Each with the statuses that are right, or none where the connection may just end. */
const BAD: [string, string, number[]][] = [
  ['a wrong signature', post({ ...length('2'), 'webhook-signature': 'v1,AAAA' }, '{}'), [401]],
  [
    'a signature that is no Base64',
    post({ ...length('2'), 'webhook-signature': 'v1,\u00e9\u00ff== v2 ,' }, '{}'),
    [401],
  ],
  ['no headers of a webhook', post({ 'Content-Length': '2' }, '{}'), [401]],
  ['a time that is no number', post({ ...length('2'), 'webhook-timestamp': '9'.repeat(5000) }, '{}'), [401]],
  ['an old signature', signed('demo_1', BODY, new Date(Date.now() - 600_000)), [401]],
  ['another body than the signed one', signed('demo_1').replace('"7"', '"8"'), [401]],
  ['no length', post({ ...FORGED, 'webhook-signature': 'v1,AAAA' }), [400, 401]],
  ['a length of 0', post(length('0')), [401]],
  ['a length that is no number', post(length('two'), '{}'), [400]],
  ['a negative length', post(length('-1'), '{}'), [400]],
  ['a length without end', post(length('9'.repeat(5000)), '{}'), [400]],
  ['a body in chunks', post({ ...FORGED, 'Transfer-Encoding': 'chunked' }, '2\r\n{}\r\n0\r\n\r\n'), [400, 401]],
  ['chunks that are none', post({ ...FORGED, 'Transfer-Encoding': 'chunked' }, 'zz\r\n{}'), [400]],
  ['no HTTP', '\u0016\u0003\u0001\u0002\r\n\r\n', [0, 400]],
  ['a GET', 'GET / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n', [401, 501]],
]

/** What a client sends before it ends the connection itself. */
const CUT = [
  post(length('100'), '{"id":'),
  post({ ...FORGED, 'Transfer-Encoding': 'chunked' }, '64\r\n{"id":'),
  'POST / HTTP/1.1\r\nHost: sh',
  '',
]

async function open(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text, 'latin1')
  return socket
}

/** The status of the response; 0 if the connection ends without one. */
async function statusOf(text: string): Promise<number> {
  const socket = await open(text)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  await closed(socket)
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1] ?? 0)
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}

async function cut(text: string, reset: boolean): Promise<void> {
  const socket = await open(text)
  if (reset) socket.resetAndDestroy()
  else socket.destroy()
}

async function listening(program: Program): Promise<void> {
  while (!program.output().includes('listening')) {
    assert.equal(program.child.exitCode, null, program.output())
    await new Promise((done) => setTimeout(done, 20))
  }
}

for (const name of ['receive.ts', 'receive.py']) {
  const options = { skip: name.endsWith('.py') && !HAS_PYTHON ? 'Python is not installed' : false }

  await test(`${name} refuses to start without the secret`, options, async () => {
    for (const secret of [undefined, '', 'the secret']) {
      const program = startProgram(folder, name, { SECRET: secret })
      assert.equal(await program.ended, 1)
      assert.match(program.output(), /Set SECRET to the secret of the endpoint/)
      assert.doesNotMatch(program.output(), /listening/)
    }
  })

  await test(`${name} survives bad requests, and receives events in between`, options, async () => {
    const program = startProgram(folder, name, { SECRET })
    try {
      await listening(program)
      for (let round = 0; round < ROUNDS; round++) {
        await Promise.all(CUT.map((text, i) => cut(text, (round + i) % 2 === 0)))
        const statuses = await Promise.all(BAD.map(([, text]) => statusOf(text)))
        for (const [i, [what, , right]] of BAD.entries())
          assert.ok(right.includes(statuses[i] ?? 0), `${what}: ${statuses[i]}`)
        assert.deepEqual(await Promise.all(['first', 'again'].map(() => statusOf(signed(`demo_${round}`)))), [204, 204])
      }
      assert.equal(program.child.exitCode, null)
      assert.equal(program.output().match(/^received user\.created$/gm)?.length, ROUNDS)
      assert.doesNotMatch(program.output(), /Traceback|Error/)
    } finally {
      program.child.kill()
      await program.ended
    }
  })

  await test(`${name} receives events while other clients stall, and ends those`, options, async () => {
    const program = startProgram(impatient, name, { SECRET })
    try {
      await listening(program)
      const texts = [post(length('100'), '{"id":'), 'POST / HTTP/1.1\r\nHost: sh']
      const stalled = await Promise.all(Array.from({ length: STALLED }, (_, i) => open(texts[i % texts.length] ?? '')))
      for (const socket of stalled) socket.resume()
      assert.equal(await statusOf(signed('demo_1')), 204)
      await Promise.all(stalled.map(closed))
      assert.equal(await statusOf(signed('demo_2')), 204)
      assert.doesNotMatch(program.output(), /Traceback|Error/)
    } finally {
      program.child.kill()
      await program.ended
    }
  })

  await test(`${name} does not keep a body that is larger than any event`, options, async () => {
    const program = startProgram(folder, name, { SECRET })
    try {
      await listening(program)
      const body = 'x'.repeat(1_000_001)
      assert.equal(await statusOf(signed('demo_1', body)), 400)
      assert.equal(await statusOf(signed('demo_2')), 204)
    } finally {
      program.child.kill()
      await program.ended
    }
  })
}
