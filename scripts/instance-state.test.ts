/**
 * What an instance keeps from one request to the next may hold results, and nothing that is bound to a request. workerd
 * cancels whoever waits for the promise of another request, with a 500 in plain text and no line in the log, and does so only
 * in an instance that has been busy: no test with one context shows it, and `npm run test:warm` needs luck.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const SRC = join(import.meta.dirname, '../src')

/** They are filled while the modules are loaded, before there is a request. */
const FILLED_AT_START = new Set([
  'db/statement.ts: NO_SESSION',
  'db/statement.ts: sharedNames',
  'db/statement.ts: ownNames',
  'db/statement.ts: onDeclared',
  'http/route-requirements.ts: requirementsByMiddleware',
])

/** Each other module-level variable whose value changes, with the interfaces that its value consists of. */
const KEPT: Record<string, string[]> = {
  'auth/secrets.ts: checked': [],
  'calendar.ts: formats': [],
  'calendar.ts: steadyOffsets': [],
  'http/middleware/cloudflare-access-keys.ts: kept': ['Keys'],
  'http/middleware/cloudflare-access-keys.ts: last': ['Fetch'],
  'http/turn-queue.ts: linesOf': ['Line', 'Slot', 'Waiting'],
  'modules/status/health.ts: last': [],
  'modules/status/health.ts: checkingSince': [],
  'modules/time-zones/zone-rows.ts: known': [],
  'modules/users/passwords/hash-pace.ts: paceOf': ['Pace'],
}

const VARIABLE =
  /^(?:export )?(?:(?:let|var) (\w+)(.*)|const (\w+)(.*(?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|= \{\}|= \[\]|= \{\} as .*))$)/gm
/** A promise, a function (which may return one), or an object of a request. */
const BOUND = /\bPromise\b|=>|\b(?:Request|Response|Context|ReadableStream|AbortSignal|Db|ExecutionContext)\b/

/** Only the Worker's own modules: it loads no documentation. */
const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !/^openapi\/|docs\.ts$/.test(file))

const found = files.flatMap((file) => {
  const text = readFileSync(join(SRC, file), 'utf8')
  return [...text.matchAll(VARIABLE)].map(([, variable, type, constant, value]) => ({
    file,
    text,
    name: `${file}: ${variable ?? constant}`,
    type: type ?? value ?? '',
  }))
})

const variables = found.filter(({ name }) => !FILLED_AT_START.has(name))

describe('What an instance keeps between requests', () => {
  it('is in these variables', () => {
    const names = variables.map(({ name }) => name)
    assert.deepEqual(names.toSorted(), Object.keys(KEPT).toSorted())
  })

  it('holds no promise, no function and nothing of a request', () => {
    for (const { name, type, text } of variables) {
      assert.doesNotMatch(type, BOUND, name)
      for (const part of KEPT[name] ?? []) {
        const [, body] = new RegExp(`^(?:export )?interface ${part} \\{\\n([^]*?)^\\}`, 'm').exec(text) ?? []
        assert.ok(body !== undefined, `${name} has no interface ${part}`)
        assert.doesNotMatch(body.replaceAll(/\/\*\*[^]*?\*\//g, ''), BOUND, `${name}: ${part}`)
      }
    }
  })

  it('is no promise that `lazy` has made', () => {
    for (const file of files) {
      const text = readFileSync(join(SRC, file), 'utf8')
      assert.doesNotMatch(text, /\blazy(?:<Promise|\(\s*(?:async\b|\(\) =>\s*(?:\{[^}]*\bawait\b|await\b)))/, file)
    }
  })
})
